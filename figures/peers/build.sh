#!/bin/sh
# Builds the programs that conformance.py asks and no registry has, from their sources, at the commits named here:
#
#     figures/peers/build.sh DIR
#     make peers PEERS=DIR
#
# It needs git, a C compiler, Java 17 and R 4.2 with libgsl and R's packages tm, slam, NLP and modeltools; and npm.
# What is there already is kept. GITHUB may name another place of the repositories.
set -eu
mkdir -p "${1:?the folder to build in}/R"
cd "$1"

# source_of FOLDER REPOSITORY COMMIT [PATH ...]: true if the folder was made
source_of() {
    test ! -d "$1" || return 1
    folder=$1 commit=$3
    git clone --quiet --no-checkout "${GITHUB:-https://github.com}/$2" "$folder" || exit
    shift 3
    git -C "$folder" checkout --quiet "$commit" -- "${@:-.}" || exit
}

if source_of mallet mimno/Mallet 2de54cbab526ee2a89f2a6e9bc03d822ccbafa66 bin src stoplists lib/hppc-0.7.1.jar lib/mallet-deps.jar lib/bsh.jar; then # 2.1.1
    cd mallet
    mkdir -p target/classes target/stub # bin/mallet runs target/classes; @Var is a mark that does nothing
    echo 'package com.google.errorprone.annotations; public @interface Var {}' >target/stub/Var.java
    find src/main/java -name '*.java' -exec javac -nowarn -encoding UTF-8 -cp 'lib/*' -d target/classes target/stub/Var.java {} +
    ln -s ../lib target/dependency
    cd ..
fi
if source_of lda-c blei-lab/lda-c 0c46575e89092683010db077f713f8aa3b3594a2; then
    (cd lda-c && cc -O2 -fcommon -w -o lda ./*.c -lm)
fi
if source_of topicmodels cran/topicmodels 8bc833e80c0f55c6eaf2911ccde90c13784df495; then # 0.2-16
    R CMD INSTALL --library=R topicmodels
fi
if source_of r-lda cran/lda 9a32665454fe40e098defb17bcfafbf5c8d71288; then # 1.5.2, which asks for R 4.3 and runs in 4.2
    sed -i 's/4\.3\.0/4.2.0/' r-lda/DESCRIPTION r-lda/NAMESPACE
    R CMD INSTALL --library=R r-lda
fi
if source_of onlineldavb blei-lab/onlineldavb dee5dcf9492d2b2870ba5c1fc14ac41cbf83596c; then # Python 2
    python3 - <<'EOF'
import pathlib, re

for path in pathlib.Path("onlineldavb").glob("*.py"):
    text = path.read_text("utf-8").expandtabs(8)
    text = re.sub(r"^(\s*)print (.+)$", r"\1print(\2)", text, flags=re.MULTILINE)
    text = re.sub(r"\bstring\.(split|replace|lower)\(", r"str.\1(", text)
    text = re.sub(r"(\w+\.(keys|values)\(\))", r"list(\1)", text)
    for old, new in {"from itertools import izip": "", "izip": "zip", "cPickle": "pickle", "xrange": "range"}.items():
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
EOF
fi
test -d node_modules/lda || npm install --silent --no-audit --no-fund lda@0.2.0

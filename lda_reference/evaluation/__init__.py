"""How good an estimate is: prediction, matching of topics, labels, Monte Carlo error, validation."""

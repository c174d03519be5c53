// The words of every topic in order of their relevance, lambda log p + (1 - lambda) log lift.
(() => {
  const slider = document.getElementById("weight"), value = document.getElementById("weight-value");
  const lists = [...document.querySelectorAll(".words[data-count]")].map(list => ({
    list,
    count: +list.dataset.count,
    rows: [...list.querySelectorAll("li[data-p]")].map(row => (
      { row, p: Math.log(+row.dataset.p), lift: Math.log(+row.dataset.lift) })),
  }));
  function show() {
    const weight = +slider.value;
    value.textContent = weight.toFixed(1);
    for (const { list, count, rows } of lists) {
      const relevance = x => weight * x.p + (1 - weight) * x.lift;
      const order = [...rows].sort((a, b) => relevance(b) - relevance(a));
      order.forEach(({ row }, i) => { row.hidden = i >= count; list.append(row); });
    }
  }
  document.documentElement.classList.add("js");
  const asked = /^#weight=([01](\.\d)?)$/.exec(location.hash);
  if (asked) slider.value = asked[1];
  slider.addEventListener("input", show);
  show();
})();

// Keeps what is scrolled to above the bar at the bottom of the window.

/**
 * Keeps what is scrolled to, by the keyboard too, above the bar: it is higher with a question.
 * @param {HTMLElement} bar
 */
export function keepAbove(bar) {
  const note = () => {
    const { height } = bar.getBoundingClientRect();
    document.documentElement.style.setProperty("--bar", `${height}px`);
  };
  new ResizeObserver(note).observe(bar);
}

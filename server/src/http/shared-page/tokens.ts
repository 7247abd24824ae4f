/** Colours, type and sizes with the dashboard's names (`dashboard/src/styles/tokens.css`): a test compares the two. */
export const tokens = `:root {
  color-scheme: light dark;
  --font: Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --font-mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
  --page: light-dark(#f6f7f5, #101412);
  --surface: light-dark(#ffffff, #181d1a);
  --surface-sunken: light-dark(#eef0ed, #121614);
  --hover: light-dark(#f0f3f0, #222925);
  --text: light-dark(#16201b, #e8ede9);
  --text-soft: light-dark(#55615b, #a3afa8);
  --edge: light-dark(#dde2de, #2c3430);
  --edge-strong: light-dark(#7d8a83, #74817a);
  --accent: light-dark(#0a6b4f, #4cc79b);
  --accent-strong: light-dark(#07513c, #7bdab7);
  --on-accent: light-dark(#ffffff, #06281d);
  --good: light-dark(#17693c, #6fce97);
  --good-wash: light-dark(#e2f3e8, #17301f);
  --warn: light-dark(#7d5300, #e8b85b);
  --warn-wash: light-dark(#fdf1d8, #362a10);
  --bad: light-dark(#a32420, #f39a92);
  --bad-wash: light-dark(#fce8e6, #3a1c1a);
  --radius: 8px;
  --radius-small: 5px;
  --shadow-raised: 0 8px 28px light-dark(rgb(20 40 30 / 16%), rgb(0 0 0 / 55%));
  --focus: 2px solid var(--accent);
}`

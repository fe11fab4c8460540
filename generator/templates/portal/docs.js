// What the pages offer beyond reading: search, filters, copies, a theme. Every page is complete without it.
const up = document.body.dataset.up;
const all = (selector, parent = document) => [...parent.querySelectorAll(selector)];

/* The theme follows the system until it is chosen. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = document.querySelector('.theme');
function showTheme(chosen) {
  if (chosen) document.documentElement.dataset.theme = chosen;
  const isDark = (chosen ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  theme.textContent = isDark ? 'Light' : 'Dark';
  theme.setAttribute('aria-label', `Show the pages in ${isDark ? 'light' : 'dark'} colours`);
  theme.value = isDark ? 'light' : 'dark';
}
const stored = () => localStorage.getItem('docs-theme') ?? undefined;
showTheme(stored());
theme.hidden = false;
dark.addEventListener('change', () => showTheme(stored()));
theme.addEventListener('click', () => {
  localStorage.setItem('docs-theme', theme.value);
  showTheme(theme.value);
});

/* Tables show the rows that contain a text. */
for (const input of all('[data-filter]')) {
  const rows = all(`.${input.dataset.filter} tbody tr`);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const output = input.closest('.filter').querySelector('output');
  input.closest('.filter').hidden = false;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/);
    const shown = texts.map((text) => words.every((word) => text.includes(word)));
    rows.forEach((row, index) => (row.hidden = !shown[index]));
    output.textContent = input.value === '' ? '' : `${shown.filter(Boolean).length} of ${rows.length}`;
  });
}

/* The chosen language is that of all examples. */
function choose(language) {
  for (const tab of all('.tab')) if (tab.value === language) tab.checked = true;
}
choose(localStorage.getItem('docs-language'));
document.addEventListener('change', ({ target }) => {
  if (!target.matches('.tab')) return;
  localStorage.setItem('docs-language', target.value);
  choose(target.value);
});

for (const code of all('.code')) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    const shown = all('pre', code).find((pre) => pre.offsetParent !== null);
    await navigator.clipboard.writeText(shown.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  (code.querySelector('.tabs') ?? code).append(button);
}

/* Links to parts of the service that it may not serve. */
const optional = Map.groupBy?.(all('[data-if-there]'), ({ href }) => href.replace(/#.*/, '')) ?? new Map();
for (const [href, links] of optional)
  fetch(href, { method: 'HEAD' }).then(({ ok }) => links.forEach((link) => (link.hidden = !ok)), () => undefined);

/* Search: names that begin with the text, then names that contain it. */
const search = document.querySelector('.search');
const box = search.querySelector('input');
const found = search.querySelector('.found');
let entries;
search.hidden = false;

async function load() {
  const pages = await (await fetch(`${up}search.json`)).json();
  entries = pages.flatMap(({ path, title, kind, names = [], anchor }) => [
    { text: title, from: 'page', href: `${up}${encodeURI(path)}` },
    ...names.map((name) => ({ text: name, from: kind, href: `${up}${encodeURI(path)}#${encodeURIComponent(anchor + name)}` })),
  ]);
  for (const entry of entries) entry.lower = entry.text.toLowerCase();
}

function rank({ lower, from }, text) {
  const at = lower.indexOf(text);
  if (at < 0) return Infinity;
  return (lower === text ? 0 : at === 0 ? 2 : 4) + (from === 'page' ? 0 : 1);
}

async function show() {
  if (entries === undefined) await load();
  const text = box.value.trim().toLowerCase();
  const ranked = entries.map((entry) => [rank(entry, text), entry]).filter(([at]) => at < Infinity);
  const best = ranked.sort(([a, one], [b, other]) => a - b || one.text.length - other.text.length).slice(0, 12);
  found.replaceChildren(...best.map(([, entry]) => itemOf(entry)));
  if (best.length === 0) found.append(Object.assign(document.createElement('li'), { textContent: 'Nothing found.' }));
  found.hidden = text === '';
}

function itemOf({ text, from, href }) {
  const link = Object.assign(document.createElement('a'), { href, textContent: text });
  link.append(Object.assign(document.createElement('small'), { textContent: from }));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

box.addEventListener('input', show);
found.addEventListener('click', () => (found.hidden = true));
document.addEventListener('click', ({ target }) => {
  if (!search.contains(target)) found.hidden = true;
});
search.addEventListener('keydown', (event) => {
  const links = all('a', found);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    found.hidden = true;
    box.focus();
  } else if (event.key === 'Enter' && event.target === box) links[0]?.click();
  else if (step !== undefined && links.length > 0) {
    event.preventDefault();
    const at = links.indexOf(document.activeElement) + step;
    (at < 0 ? box : links[Math.min(at, links.length - 1)]).focus();
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return;
  event.preventDefault();
  box.focus();
});

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Debian, Ubuntu, Fedora, Arch and the browsers' own installers.
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe', 'msedge.exe'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of the installed Chromium or Chrome, if there is one. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH || undefined;
  if (named !== undefined && !existsSync(named)) throw new Error(`CHROMIUM_PATH is ${named}, which does not exist.`);
  return [named, ...onPath(), ...places].find((path) => path !== undefined && existsSync(path));
}

function onPath() {
  return names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)));
}

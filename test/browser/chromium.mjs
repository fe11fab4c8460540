import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

// Debian, Ubuntu, Fedora, Arch and the browsers' own installers.
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe', 'msedge.exe'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
// The browser must ask nobody but the two servers of the test, and must run as root in a container.
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Opens a headless Chromium with a profile of its own. Ends the run with instructions where there is none. */
export async function openBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'gable-browser-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath: findChromium(), headless: true, args: flags });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function findChromium() {
  const named = process.env.CHROMIUM_PATH || undefined;
  if (named !== undefined && !existsSync(named)) throw new Error(`CHROMIUM_PATH is ${named}, and there is no such file.`);
  const found = [named, ...onPath(), ...places].find((path) => path !== undefined && existsSync(path));
  if (found === undefined) throw new Error('There is no Chromium here. Install it (apt-get install chromium, dnf install chromium, brew install --cask chromium), or say in CHROMIUM_PATH where Chromium or Chrome is.');
  return found;
}

function onPath() {
  return names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)));
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';

// The browser must ask nobody but the two servers of the test, and must run as root in a container.
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Opens a headless Chromium with a profile of its own. Ends the run with instructions where there is none. */
export async function openBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'gable-browser-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), headless: true, args: flags });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function chromiumPath() {
  const found = findChromium();
  if (found === undefined) throw new Error('There is no Chromium here. Install it (apt-get install chromium, dnf install chromium, brew install --cask chromium), or set CHROMIUM_PATH to the path of Chromium or Chrome.');
  return found;
}

/**
 * The browser of the end-to-end tests: Debian's Chromium without its windows, which takes a fifth less processor time than the
 * whole one, and a font with Chinese characters, without which they would be drawn as boxes. Installed when this may
 * install packages; otherwise the command is said.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const chromium = '/usr/bin/chromium-headless-shell';
const font = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc';
const command = 'apt-get install -y --no-install-recommends chromium-headless-shell fonts-noto-cjk';

/** @returns {string | null} what is wrong, in one sentence; null when the browser is there. */
export function ensureBrowser() {
  if (existsSync(chromium) && existsSync(font)) return null;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!mayInstall) return `The browser tests need Chromium's headless shell and a Chinese font: sudo ${command}`;
  console.log('Installing Chromium and fonts for the browser tests ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const line of ['apt-get update -q', command]) {
    const result = spawnSync('sh', ['-c', line], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    if (result.status !== 0) return `${line} failed:\n${result.stderr}`;
  }
  return existsSync(chromium) && existsSync(font)
    ? null
    : `Chromium's headless shell is still missing after: ${command}`;
}

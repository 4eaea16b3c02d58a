/**
 * The browser of the end-to-end tests: Debian's Chromium without its windows, which takes a fifth less processor time than the
 * whole one, and a font with Chinese characters, without which they would be drawn as boxes. Installed when this may
 * install packages; otherwise the command is said.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

const chromium = '/usr/bin/chromium-headless-shell';
const font = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc';
const command = 'apt-get install -y --no-install-recommends chromium-headless-shell fonts-noto-cjk';

const isThere = () => existsSync(chromium) && existsSync(font);

/** @returns {Promise<string | null>} what is wrong, in one sentence; null once the browser is there. */
export async function ensureBrowser() {
  if (isThere()) return null;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!mayInstall) return `The browser tests need Chromium's headless shell and a Chinese font: sudo ${command}`;
  console.log('Installing Chromium and fonts for the browser tests, beside what follows ...');
  const failure = await run(`apt-get update -q && ${command}`);
  if (failure !== null) return failure;
  return isThere() ? null : `Chromium's headless shell is still missing after: ${command}`;
}

/**
 * @param {string} line
 * @returns {Promise<string | null>} what it said when it failed
 */
function run(line) {
  return new Promise((resolve) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
    });
    child.once('error', (error) => resolve(`${line} failed:\n${error.message}`));
    child.once('close', (code) => resolve(code === 0 ? null : `${line} failed:\n${said}`));
  });
}

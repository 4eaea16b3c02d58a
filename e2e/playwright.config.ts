import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { addresses, sandboxEnvironment } from './addresses.ts';

const isCi = process.env['CI'] !== undefined;
const isProof = process.env['AXE_EVERYWHERE'] !== undefined;
const isLookingInto = process.env['E2E_TRACE'] !== undefined;

/** Journeys through the real product: the sandbox as `npm start` runs it, on ports and data of its own. */
export default defineConfig({
  testDir: 'journeys',
  testMatch: '**/*.spec.ts',
  globalSetup: './global-setup.ts',
  outputDir: 'results/artifacts',
  fullyParallel: false,
  // One more than the two cores that the run is measured on: a journey mostly waits, for blocks, banks and steps of the clock.
  workers: 3,
  // Journeys that stop the chain or a process affect every other one, so they run alone.
  projects: [
    // The README's pictures are no test: `npm run screenshots`.
    {
      name: 'together',
      // What is long, and whose rules are tested below the browser: `npm run proof`.
      ...(!isProof && { grepInvert: /@proof/ }),
      testIgnore: [
        'alone/**',
        'proof/**',
        ...(process.env['SCREENSHOTS'] === undefined ? ['screenshots*.spec.ts'] : []),
      ],
    },
    { name: 'alone', testMatch: 'alone/**/*.spec.ts', workers: 1, dependencies: ['together'] },
    // The same, where such a journey needs much of the machine or of the sandbox for itself.
    ...(isProof ? [{ name: 'proof', testMatch: 'proof/**/*.spec.ts', workers: 1 }] : []),
  ],
  retries: 0,
  forbidOnly: isCi,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [
    ['list'],
    [
      'json',
      { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? join(import.meta.dirname, 'results/report.json') },
    ],
  ],
  use: {
    baseURL: addresses.console,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Asia/Hong_Kong',
    // Frames of animations are a tenth of all processor time that journeys take; without them, what they move to is looked at at once.
    reducedMotion: 'reduce',
    // A browser with windows grants it at a click.
    permissions: ['clipboard-write'],
    // Asked for when a failure is looked into: a trace of every test costs a third of the time, and a picture is taken
    // whenever a context closes, before it is known how the test ends. The page in words is kept of every failure.
    trace: isLookingInto ? 'retain-on-failure' : 'off',
    screenshot: isLookingInto ? 'only-on-failure' : 'off',
    launchOptions: {
      executablePath: '/usr/bin/chromium-headless-shell',
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
        // A page lives for seconds: compiling its functions again for speed costs a seventh of the browser's processor time, and pays nothing back.
        '--js-flags=--no-maglev,--no-turbofan',
      ],
      // Without a locale in UTF-8, as on a bare machine, Chromium names every file whose name is not in ASCII "download".
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
  webServer: {
    command: 'node sandbox/src/main.ts',
    cwd: join(import.meta.dirname, '..'),
    url: `${addresses.console}/readyz`,
    env: sandboxEnvironment,
    // While journeys are written, one sandbox serves many runs: start it with the ports and the data directory of addresses.ts.
    reuseExistingServer: process.env['E2E_RUNNING'] !== undefined,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});

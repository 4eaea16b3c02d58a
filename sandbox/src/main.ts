/**
 * The sandbox: brings up database, chain, inbox, price feed and desk, then the server's processes as anybody would run
 * them, keeps them running, and ends them in order. `npm start` runs this under Node 24 (tools/start.mjs).
 */

import { bringUp } from './bring-up.ts';
import { onSpawn } from './child.ts';
import { type DataDirectory, explainDirectory, takeDataDirectory } from './data-directory.ts';
import { SandboxFailure } from './failure.ts';
import { endAll, onFarewell } from './farewell.ts';
import { isPortFree } from './free-port.ts';
import { PORTS, type PortName, readSettings, type Settings } from './settings.ts';
import type { Supervised } from './supervised.ts';

const isDevelopment = process.argv.includes('--dev');
const startedAt = Date.now();

function say(sentence: string): void {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(5);
  console.log(`${seconds} s  ${sentence}`);
}

/** Prints why it cannot go on: one sentence, and for an unexpected failure the part's own last output. */
function explain(error: unknown, settings: Settings | undefined): void {
  const full = `The disk that holds ${settings?.dataDir ?? 'the data'} is full.`;
  if (!(error instanceof SandboxFailure)) {
    const explained = settings === undefined ? error : explainDirectory(settings.dataDir, error);
    console.error(explained instanceof SandboxFailure ? explained.message : error);
    return;
  }
  // Whichever part it was that met the end of the disk, and however it put it.
  if (error.kind === 'not_ready' && /No space left on device|ENOSPC/.test(error.detail)) {
    console.error(full);
    return;
  }
  const reset =
    settings === undefined || !['damaged', 'other_version'].includes(error.kind)
      ? ''
      : ' To start afresh, run "npm run sandbox:reset": it moves the old data aside and deletes nothing.';
  // What a part said of itself may lack its full stop.
  console.error(`${error.message.replace(/[^.!?]$/, '$&.')}${reset}`);
  if (error.kind === 'not_ready' && error.detail !== '') console.error(error.detail.replace(/^/gm, '    '));
}

/** Of the web apps from their sources. */
const developmentPorts: ReadonlySet<PortName> = new Set(['web', 'webOperator']);

async function refuseTakenPorts({ ports }: Settings): Promise<void> {
  const names = Object.keys(PORTS).filter((name): name is PortName => name in PORTS);
  const needed = names.filter((name) => isDevelopment || !developmentPorts.has(name));
  const free = await Promise.all(needed.map((name) => isPortFree(ports[name])));
  const taken = needed.find((_, index) => free[index] === false);
  if (taken === undefined) return;
  const { variable, purpose } = PORTS[taken];
  throw new SandboxFailure(
    'port_taken',
    `Port ${ports[taken]}, wanted for ${purpose}, is taken by another program: end that, or choose another port with ${variable}=<port>.`,
  );
}

async function main(): Promise<number> {
  const parts: Supervised[] = [];
  let settings: Settings | undefined;
  let directory: DataDirectory | undefined;
  const farewell = onFarewell(say);
  let code = 0;
  try {
    settings = readSettings(process.env);
    const taken = await takeDataDirectory(settings.dataDir);
    directory = taken;
    onSpawn((pid) => taken.note(pid));
    const up = bringUp({
      settings,
      isDevelopment,
      withDemoCompany: true,
      say,
      keep: (part) => parts.unshift(part),
      refuseTakenPorts,
    });
    const outcome = await Promise.race([up, farewell.asked]);
    if (outcome === 'asked') up.catch(() => undefined);
    else {
      console.log(outcome);
      await farewell.asked;
    }
  } catch (error) {
    explain(error, settings);
    code = 1;
  }
  await endAll(parts);
  await directory?.release();
  if (code === 0) say('Everything has been stopped; the data stays for the next start.');
  return code;
}

process.exit(await main());

import { randomInt } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, endChild, logLength, logSince, startChild } from './child.ts';
import { readJson, writeDurably } from './durable-file.ts';
import { SandboxFailure } from './failure.ts';
import { freePort } from './free-port.ts';
import { endOrphan, identify, isProcessIdentity } from './process-identity.ts';

const READY_WITHIN_MS = 30_000;

/** What a node answered instead of a result (JSON-RPC 2.0, error object). */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export type Anvil = {
  pid: number;
  url: string;
  ended: Child['ended'];
  /** Posts a JSON-RPC body as it is and gives the answer as it is. Rejects when the process is gone. */
  post(body: string): Promise<string>;
  /** @throws RpcError when the node returns an error; another error when the process is gone. */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  end(signal: NodeJS.Signals): Promise<void>;
};

/**
 * Starts anvil without any mining of its own, from its genesis or from a state file. With the same genesis time,
 * rule set and transaction order, the same calls give the same blocks to the last hash, which is what replay rests on.
 *
 * @throws SandboxFailure unsupported, damaged, not_ready
 */
export async function startAnvil(
  dir: string,
  chainId: number,
  genesisTimestamp: number,
  stateFile?: string,
  blockGasLimit?: number,
): Promise<Anvil> {
  await endPrevious(dir);
  const logFile = join(dir, 'anvil.log');
  const written = logLength(logFile);
  const host = loopbackAddress();
  const port = await freePort();
  const { PATH } = process.env;
  const chain = ['--chain-id', String(chainId), '--timestamp', String(genesisTimestamp), '--hardfork', 'prague'];
  const mining = ['--no-mining', '--order', 'fifo', '--balance', '1000000000'];
  const child = await startChild({
    command: await anvilBinary(),
    args: [
      '--host',
      host,
      '--port',
      String(port),
      '--no-cors',
      '--quiet',
      ...chain,
      ...mining,
      ...(blockGasLimit === undefined ? [] : ['--gas-limit', String(blockGasLimit)]),
      ...(stateFile === undefined ? [] : ['--load-state', stateFile]),
    ],
    env: { PATH, HOME: dir },
    cwd: dir,
    logFile,
  });
  // Its chain is in the journal: a node whose front is gone is of no use to anybody.
  const endWithUs = (): boolean => child.process.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.ended.then(() => process.off('exit', endWithUs));
  const identity = await identify(child.pid);
  if (identity !== undefined) await writeDurably(join(dir, 'anvil.json'), JSON.stringify(identity));
  const anvil = client(child, `http://${host}:${port}`);
  if (await answers(child, anvil)) return anvil;
  const said = logSince(logFile, written);
  await endChild(child, 'SIGKILL', 0);
  if (stateFile === undefined) throw new SandboxFailure('not_ready', 'The local chain (anvil) did not start.', said);
  throw new SandboxFailure('damaged', `The local chain refuses its state ${stateFile}.`, said);
}

/**
 * anvil takes WebSockets of any origin, so a web page could drive it if it found it. On Linux all of 127/8 is this machine: an
 * address that no page can guess is as good as closed. Elsewhere only 127.0.0.1 is, and the random port has to do.
 */
function loopbackAddress(): string {
  if (platform() !== 'linux') return '127.0.0.1';
  return `127.${[randomInt(1, 255), randomInt(0, 256), randomInt(1, 255)].join('.')}`;
}

async function endPrevious(dir: string): Promise<void> {
  const previous = await readJson(join(dir, 'anvil.json')).catch(() => undefined);
  if (isProcessIdentity(previous)) await endOrphan(previous, 'SIGKILL', 0);
}

async function anvilBinary(): Promise<string> {
  const name = `@foundry-rs/anvil-${platform()}-${arch() === 'x64' ? 'amd64' : arch()}`;
  try {
    // findPackageJSON, not import.meta.resolve: the latter is missing where a test runner loads this file.
    const manifest = findPackageJSON(name, findPackageJSON('@foundry-rs/anvil', import.meta.url) ?? import.meta.url);
    if (manifest === undefined) throw new Error(`${name} is not installed`);
    const binary = join(dirname(manifest), 'bin', 'anvil');
    await stat(binary);
    return binary;
  } catch (error) {
    throw new SandboxFailure(
      'unsupported',
      `There is no anvil binary for this machine (${name} is not installed), so the sandbox cannot start here.`,
      String(error),
    );
  }
}

async function answers(child: Child, anvil: Anvil): Promise<boolean> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!child.hasEnded() && Date.now() < giveUpAt) {
    try {
      await anvil.call('eth_chainId');
      return true;
    } catch {
      await delay(10);
    }
  }
  return false;
}

function client(child: Child, url: string): Anvil {
  async function post(body: string): Promise<string> {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return response.text();
  }
  return {
    pid: child.pid,
    url,
    ended: child.ended,
    post,
    async call(method, params = []) {
      const answer: unknown = JSON.parse(await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
      return resultOf(answer);
    },
    async end(signal) {
      await endChild(child, signal, 5_000);
    },
  };
}

function resultOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) throw new RpcError(-32603, 'the node gave no answer object');
  if (!('error' in answer)) return 'result' in answer ? answer.result : null;
  const { error } = answer;
  if (typeof error !== 'object' || error === null) throw new RpcError(-32603, 'the node gave an error without content');
  const code = 'code' in error && typeof error.code === 'number' ? error.code : -32603;
  const message = 'message' in error && typeof error.message === 'string' ? error.message : 'unknown error';
  throw new RpcError(code, message, 'data' in error ? error.data : undefined);
}

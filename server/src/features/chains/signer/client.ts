import { request as httpRequest } from 'node:http';
import { type AskCheckpoint, checkpointAnswer } from '../../../platform/audit/checkpoint.ts';
import { type AskSolvency, solvencyAnswer } from '../../../platform/solvency/signing.ts';
import { type AddressRegister, registerAnswer, registeredAnswer } from './address-register.ts';
import { type SignAnswer, type Signer, type SignRequest, signAnswer } from './protocol.ts';

const timeoutMs = 10_000;
/** It reads every company's balance. */
const reportTimeoutMs = 120_000;
/** Blocks are not read while it is waited for. */
const registerTimeoutMs = 3000;
/** For each kilobyte of a request: a plan of a thousand inputs takes that many derivations and signatures. */
const perKilobyteMs = 200;
/** The heaviest transaction that nodes forward, in hexadecimal. */
const maxAnswerBytes = 1_000_000;

/** The signer behind its unix socket. */
export function createSignerClient(socketPath: string): Signer {
  return {
    async sign(request: SignRequest): Promise<SignAnswer> {
      const body = JSON.stringify(request, (_key, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      );
      const timeout = timeoutMs + Math.ceil(body.length / 1000) * perKilobyteMs;
      return signAnswer.parse(JSON.parse(await post(socketPath, '/sign', body, timeout)));
    },
  };
}

/** The signer's other side: it follows the audit log's chain and signs its end. */
export function createCheckpointClient(socketPath: string): AskCheckpoint {
  return async (request) =>
    checkpointAnswer.parse(JSON.parse(await post(socketPath, '/checkpoint', JSON.stringify(request))));
}

/** And signs the reports of solvency, after it has recomputed what companies were owed. */
export function createSolvencyClient(socketPath: string): AskSolvency {
  return async (request) =>
    solvencyAnswer.parse(JSON.parse(await post(socketPath, '/solvency', JSON.stringify(request), reportTimeoutMs)));
}

/** And the register of addresses that are opened apart. */
export function createRegisterClient(socketPath: string): AddressRegister {
  const ask = async (path: string, request: unknown): Promise<unknown> =>
    JSON.parse(await post(socketPath, path, JSON.stringify(request), registerTimeoutMs));
  return {
    register: async (address) => registerAnswer.parse(await ask('/addresses/register', address)).place,
    after: async (mark) => registeredAnswer.parse(await ask('/addresses/after', { after: mark })),
  };
}

function post(socketPath: string, path: string, body: string, timeout = timeoutMs): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        socketPath,
        path,
        method: 'POST',
        timeout,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxAnswerBytes) response.destroy(new Error('the signer answered too much'));
          chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
          else reject(new Error(`the signer answered ${response.statusCode}`));
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error('the signer did not answer in time')));
    request.on('error', reject);
    request.end(body);
  });
}

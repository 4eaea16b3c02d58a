import { join, resolve } from 'node:path';
import { SandboxFailure } from './failure.ts';

/**
 * Every port of the sandbox: its default, the variable that changes it, and what it is for. Defaults lie below 32768, where
 * Linux takes the ports of outgoing connections from: a connection may hold any port of that range at any moment.
 */
export const PORTS = {
  http: { fallback: 24000, variable: 'CAUSEWAY_PORT_HTTP', purpose: 'the console' },
  desk: { fallback: 24001, variable: 'CAUSEWAY_PORT_DESK', purpose: 'the sandbox desk' },
  worker: { fallback: 24002, variable: 'CAUSEWAY_PORT_WORKER', purpose: "the worker's health page" },
  signer: { fallback: 24003, variable: 'CAUSEWAY_PORT_SIGNER', purpose: "the signer's health page" },
  web: { fallback: 24004, variable: 'CAUSEWAY_PORT_WEB', purpose: 'the web app in development' },
  webOperator: {
    fallback: 24006,
    variable: 'CAUSEWAY_PORT_WEB_OPERATOR',
    purpose: "the operator's web app in development",
  },
  operator: { fallback: 24005, variable: 'CAUSEWAY_PORT_OPERATOR', purpose: "the operator's console" },
  look: { fallback: 24007, variable: 'CAUSEWAY_PORT_LOOK', purpose: 'what an operator sees of a company' },
  mail: { fallback: 24025, variable: 'CAUSEWAY_PORT_MAIL', purpose: 'the mail inbox' },
  prices: { fallback: 24080, variable: 'CAUSEWAY_PORT_PRICES', purpose: 'the price feed' },
  bankFiles: { fallback: 24022, variable: 'CAUSEWAY_PORT_BANK_FILES', purpose: "the sandbox's bank with files (SFTP)" },
  bankHttp: { fallback: 24081, variable: 'CAUSEWAY_PORT_BANK_HTTP', purpose: "the sandbox's bank with an HTTP API" },
  venue: { fallback: 24083, variable: 'CAUSEWAY_PORT_VENUE', purpose: "the sandbox's crypto venue" },
  fx: { fallback: 24084, variable: 'CAUSEWAY_PORT_FX', purpose: "the sandbox's FX account" },
  webhooks: {
    fallback: 24085,
    variable: 'CAUSEWAY_PORT_WEBHOOKS',
    purpose: "the sandbox's receiver of webhooks",
  },
  trades: { fallback: 24089, variable: 'CAUSEWAY_PORT_TRADES', purpose: "the sandbox's trade platform" },
  issuer: { fallback: 24086, variable: 'CAUSEWAY_PORT_ISSUER', purpose: "the sandbox's issuer of cards" },
  database: { fallback: 24432, variable: 'CAUSEWAY_PORT_DB', purpose: 'the database' },
  chain: { fallback: 24545, variable: 'CAUSEWAY_PORT_CHAIN', purpose: 'the first node of the chain' },
  chainSecond: { fallback: 24546, variable: 'CAUSEWAY_PORT_CHAIN_2', purpose: 'the second node of the chain' },
  bitcoin: { fallback: 24547, variable: 'CAUSEWAY_PORT_BITCOIN', purpose: 'the first node of the Bitcoin chain' },
  bitcoinSecond: {
    fallback: 24548,
    variable: 'CAUSEWAY_PORT_BITCOIN_2',
    purpose: 'the second node of the Bitcoin chain',
  },
  bitcoinEsplora: {
    fallback: 24549,
    variable: 'CAUSEWAY_PORT_BITCOIN_ESPLORA',
    purpose: 'the Esplora server of the Bitcoin chain',
  },
} as const;

export type PortName = keyof typeof PORTS;
export type Settings = {
  /** The clone. */
  root: string;
  /** Where the sandbox keeps its data; `CAUSEWAY_DATA_DIR` changes it (a relative path counts from the clone). */
  dataDir: string;
  ports: Readonly<Record<PortName, number>>;
};

/** Reads the sandbox's data directory and ports. @throws SandboxFailure unsupported */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const root = resolve(import.meta.dirname, '../..');
  const { CAUSEWAY_DATA_DIR: given = '' } = env;
  const port = (name: PortName): number => readPort(env, name);
  return {
    root,
    dataDir: given === '' ? join(root, '.sandbox') : resolve(root, given),
    ports: {
      http: port('http'),
      desk: port('desk'),
      worker: port('worker'),
      signer: port('signer'),
      web: port('web'),
      webOperator: port('webOperator'),
      operator: port('operator'),
      look: port('look'),
      mail: port('mail'),
      prices: port('prices'),
      bankFiles: port('bankFiles'),
      bankHttp: port('bankHttp'),
      venue: port('venue'),
      fx: port('fx'),
      webhooks: port('webhooks'),
      trades: port('trades'),
      issuer: port('issuer'),
      database: port('database'),
      chain: port('chain'),
      chainSecond: port('chainSecond'),
      bitcoin: port('bitcoin'),
      bitcoinSecond: port('bitcoinSecond'),
      bitcoinEsplora: port('bitcoinEsplora'),
    },
  };
}

function readPort(env: NodeJS.ProcessEnv, name: PortName): number {
  const { variable, fallback } = PORTS[name];
  const text = env[variable];
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new SandboxFailure('unsupported', `${variable} is "${text}", which is no port between 1 and 65535.`);
  }
  return port;
}

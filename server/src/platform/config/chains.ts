import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ConfigError } from './config.ts';
import { evmAddress } from './config-values.ts';

/** The chains of this installation: the JSON file that CHAINS_FILE names. */

const coinName = z.string().regex(/^[A-Z][A-Z0-9]{1,9}$/, 'wants 2 to 10 capital letters or digits, for example POL');

const blockTime = z.number().int().min(50).max(3_600_000);

/** What every chain has, whatever its family. */
const chainShared = {
  id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  name: z.string().min(1),
  confirmations: z.number().int().min(1).max(10_000),
  /** Where the first watch begins; without it 1,000 blocks before the head. Means nothing once the chain is followed. */
  startBlock: z.number().int().min(0).optional(),
  pollIntervalMs: z.number().int().min(50).max(60_000).default(1000),
  /** How long the chain takes for a block. */
  blockTimeMs: blockTime.default(12_000),
  nativeCoin: coinName,
  explorerUrl: z.url().nullable().default(null),
};

const evmChain = z.object({
  family: z.literal('evm'),
  ...chainShared,
  /** EIP-155. */
  chainId: z.number().int().positive(),
  rpcUrls: z.array(z.url({ protocol: /^https?$/ })).min(1),
  rpcTimeoutMs: z.number().int().min(100).max(120_000).default(10_000),
  /** For how many blocks a payment waits before its fee is raised. */
  replaceAfterBlocks: z.number().int().min(1).max(10_000).default(10),
  tokens: z.array(z.object({ coin: coinName, contract: evmAddress })),
});

const satoshisPerVbyte = z.number().min(0.1).max(100_000);

const bitcoinChain = z.object({
  family: z.literal('bitcoin'),
  ...chainShared,
  blockTimeMs: blockTime.default(600_000),
  /** `test` is the third and the fourth test network: their addresses are the same. */
  network: z.enum(['main', 'test', 'signet', 'regtest']),
  /** `core`: JSON-RPC of Bitcoin Core, with its user and password in the URL; `esplora`: the REST API of Esplora. */
  nodes: z.array(z.object({ protocol: z.enum(['core', 'esplora']), url: z.url({ protocol: /^https?$/ }) })).min(1),
  nodeTimeoutMs: z.number().int().min(100).max(120_000).default(10_000),
  /** For how many blocks a payment waits before its fee is raised. */
  replaceAfterBlocks: z.number().int().min(1).max(10_000).default(6),
  /** Satoshis per virtual byte: what is paid at least and at most, and where no node has an estimate. */
  fees: z
    .object({
      floor: satoshisPerVbyte.default(1),
      ceiling: satoshisPerVbyte.default(500),
      fallback: satoshisPerVbyte.default(20),
    })
    .refine(({ floor, ceiling, fallback }) => floor <= fallback && fallback <= ceiling, {
      message: 'wants floor ≤ fallback ≤ ceiling',
    })
    .prefault({}),
});

const chainsSchema = z.object({
  /** Coins beyond those that the program knows: as native coins or tokens of the chains below. */
  coins: z
    .array(
      z.object({
        coin: coinName,
        decimals: z.number().int().min(0).max(18),
        /** In whole coins: transfers must be greater. */
        minimum: z.string().regex(/^\d{1,12}(\.\d{1,18})?$/, 'wants an amount in whole coins, for example "1"'),
        /** CoinGecko's name of the coin; without it there is no price, and nothing that needs one is decided. */
        priceId: z
          .string()
          .regex(/^[a-z0-9][a-z0-9._-]*$/)
          .optional(),
      }),
    )
    .default([]),
  /** Each family that can be configured is a member (docs/adr/0055). */
  chains: z
    .array(z.discriminatedUnion('family', [evmChain, bitcoinChain]))
    .min(1)
    .refine((chains) => new Set(chains.flatMap((chain) => networkOf(chain) ?? [])).size <= 1, {
      message: 'name Bitcoin chains of more than one network; an installation serves one',
    }),
});

/** A chain of whatever family. */
export interface ChainShared extends z.output<z.ZodObject<typeof chainShared>> {
  family: string;
}

/** A chain of a family that can be configured. */
export type ChainConfig = EvmChainConfig | BitcoinChainConfig;
export interface EvmChainConfig extends z.output<typeof evmChain> {}
export interface BitcoinChainConfig extends z.output<typeof bitcoinChain> {}
export type BitcoinNetwork = BitcoinChainConfig['network'];

export function isEvmChain(chain: ChainConfig): chain is EvmChainConfig {
  return chain.family === 'evm';
}

export function isBitcoinChain(chain: ChainConfig): chain is BitcoinChainConfig {
  return chain.family === 'bitcoin';
}

function networkOf(chain: ChainConfig): BitcoinNetwork | null {
  return isBitcoinChain(chain) ? chain.network : null;
}

/** The network of Bitcoin that the configured chains are of, which there is one of; the main one where none is configured. */
export function bitcoinNetworkOf(chains: readonly ChainConfig[]): BitcoinNetwork {
  return chains.find(isBitcoinChain)?.network ?? 'main';
}

export type CoinConfig = z.output<typeof chainsSchema>['coins'][number];

/** The chains of this installation, from the JSON file that CHAINS_FILE names. */
export function readChains(file: string): ChainConfig[] {
  return readChainsFile(file).chains;
}

/** The coins that the file adds to those that the program knows. */
export function readCoins(file: string): CoinConfig[] {
  return readChainsFile(file).coins;
}

function readChainsFile(file: string): z.output<typeof chainsSchema> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`CHAINS_FILE names ${file}, which cannot be read: ${reason}`);
  }
  const result = chainsSchema.safeParse(content);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`CHAINS_FILE names ${file}, which is not usable:\n${lines.join('\n')}`);
}

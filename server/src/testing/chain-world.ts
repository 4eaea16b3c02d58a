import type { JsonWebKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Chain, type ChainOptions, startChain } from '@causeway/sandbox/chain.ts';
import { sql } from 'kysely';
import pg from 'pg';
import {
  type AddressRegister,
  type AddressSources,
  type BitcoinSigningLimits,
  createEvmGateway,
  createKeystore,
  createRegisterClient,
  createSignerClient,
  type EvmGateway,
  type EvmKeys,
  type EvmSigningLimits,
  evmAddresses,
  evmKeys,
  openAddressRegister,
  openKeystore,
  openSignerJournal,
  rebuildJournal,
  type Signer,
  serveSigner,
  sourcesByFamily,
  watchOnce,
} from '../features/chains/index.ts';
import { registerChains } from '../features/chains/registry.ts';
import { accountsOf } from '../features/ledger/index.ts';
import { actJobs, treasuryActs, treasuryJobs } from '../features/operator/index.ts';
import {
  createChainListener,
  createJudge,
  evmFamily,
  type Judge,
  tendOnce,
  traceOnce,
} from '../features/rails/index.ts';
import { createRegisteredOpening, createWalletOpening, openApart, takeApartPlace } from '../features/wallets/index.ts';
import { createCheckpointSigner } from '../platform/audit/checkpoint.ts';
import type { EvmChainConfig } from '../platform/config/chains.ts';
import { type LogDisk, realDisk } from '../platform/crypto/linked-log.ts';
import { newAuthorisationKeys } from '../platform/crypto/new-keys.ts';
import { createSeal, openSealsOf, type Seal } from '../platform/crypto/seal.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { JobDefinition } from '../platform/jobs/jobs.ts';
import { createLog } from '../platform/process/log.ts';
import { createSolvencySigner } from '../platform/solvency/signing.ts';
import { journaled, signersOf } from '../signer-families.ts';
import { chainFamilies, outgoingKinds } from './chain-families.ts';
import { reconnect, type TestDatabase, testDatabase } from './database.ts';
import { keystoreCost } from './keystore.ts';
import { operatorAuthorisation } from './operator-authorisation.ts';
import { sendingJobs, takeEvents } from './sending.ts';

/** Depth of the tests' chain. */
export const depth = 3;
export const chainId = 'ethereum';

const passphrase = 'a passphrase for tests';
/** What may leave the treasury in a day, by coin, in minor units; a test may allow less. */
export const treasuryPerDay = new Map(['USDT', 'USDC', 'HKDT', 'ETH'].map((coin) => [coin, 10n ** 30n]));
const limits: EvmSigningLimits = {
  maxNetworkFeeWei: 50_000_000_000_000_000n,
  maxAdvanceWei: 50_000_000_000_000_000n,
  maxAdvancesPerHour: 1000,
  treasuryPerDay,
};
const bitcoinLimits: BitcoinSigningLimits = {
  maxFeeRate: 500,
  maxFeePercent: 10,
  smallFeeMinor: 100_000n,
  maxAccelerationsPerHour: 60,
  treasuryPerDay,
};

/**
 * A worker, a signer behind its socket, a PostgreSQL and a chain, all real; time moves only when a test says so: blocks
 * by `chain.engine.mine`, the watcher by `follow`, jobs by `work`.
 */
export interface ChainWorld {
  db: TestDatabase;
  chain: Chain;
  gateway: EvmGateway;
  signer: Signer;
  seal: Seal;
  /** The private key that the HTTP process seals authorisations with; the signer has its public half. */
  authorisationKey: JsonWebKey;
  signerDatabase: Database;
  gasTank: `0x${string}`;
  /** The platform's own coins. */
  treasury: `0x${string}`;
  /** The signer's keys, for payments that are made outside of it. */
  keys: EvmKeys;
  /** What the world's one chain is in CHAINS_FILE. */
  config: EvmChainConfig;
  /** A new authorisation key for the HTTP process; the signer starts again, with or without the public keys before it. */
  rotateAuthorisationKey(options: { keepsPrevious: boolean }): Promise<void>;
  /** What an operator does with a changed CHAINS_FILE: migrate, then restart every process. */
  configure(chains: readonly EvmChainConfig[]): Promise<void>;
  /** Opens what companies lack, as the worker does at its start and once a minute. */
  openMissing(): Promise<void>;
  /** Opens the wallets of a company, as the job of a new one does. */
  open(companyId: string): Promise<void>;
  /** Opens an address of the company apart, as the worker does for one purpose; the same on every chain. */
  openApart(company: Pick<Company, 'id'>): Promise<`0x${string}`>;
  /** Opens a company with its wallets. */
  company(): Promise<Company>;
  /** The current state of the company. */
  reread(company: Company): Promise<Company>;
  /** The watcher reads up to the head, and what is due is traced. */
  follow(gateway?: EvmGateway, startBlock?: number): Promise<void>;
  /** Runs the jobs of all events that were announced; another gateway or signer simulates one that fails. */
  work(parts?: { gateway?: EvmGateway; signer?: Signer }): Promise<void>;
  /** Mines, follows and works, block by block. */
  advance(blocks: number): Promise<void>;
  /** What opens addresses apart, as the worker has it. */
  addressing: { sources: AddressSources; register: AddressRegister };
  /** Further jobs of the worker, which run with those that send payments. */
  further: JobDefinition[];
  /** What following and sending need. */
  parts(): Parameters<typeof tendOnce>[0];
  /** Looks after what is stuck as if so much time had passed. */
  tend(times?: { rebroadcastAfterMs?: number; stuckAfterMs?: number }): Promise<void>;
  /** Compares the signer's journal with the database, as the signer does every few seconds. */
  compare: Judge['compare'];
  /** Where the signer keeps its journal. */
  journalFile: string;
  /** Whether the disk of the journal is full. */
  disk: { isFull: boolean };
  /** Makes the journal good again from the database, while the signer is stopped. */
  rebuildJournal(): Promise<{ added: number; entries: number }>;
  /** Ends the signer's process. */
  stopSigner(): Promise<void>;
  /** Starts it, as after a stop. Rejects when it refuses to start. */
  startSigner(): Promise<void>;
  /** Makes a copy of the database as it is now. */
  backUp(name: string): Promise<void>;
  /** Puts the database back as it was; processes that were running notice it by their broken connections alone. */
  restore(name: string): Promise<void>;
  /** A statement with all rights over the database: what an intruder in the database could do. */
  asSuperuser(statement: string): Promise<void>;
  close(): Promise<void>;
}

export interface Company {
  id: string;
  address: `0x${string}`;
  /** By coin; those of another chain by `COIN@chain`. */
  wallets: Map<string, string>;
}

/** @param rpcTimeoutMs after which a node is left out: long, since a busy machine is no fault of a node */
export async function chainWorld({
  rpcTimeoutMs = Number(process.env['TEST_RPC_TIMEOUT_MS'] ?? 20_000),
  ...options
}: Pick<ChainOptions, 'blockGasLimit'> & { rpcTimeoutMs?: number } = {}): Promise<ChainWorld> {
  const [db, chain] = await Promise.all([testDatabase(), startChain({ autoMining: false, ...options })]);
  const directory = mkdtempSync(join(tmpdir(), 'causeway-world-'));
  const keystore = join(directory, 'keystore.json');
  const { evmXpub, gasTank, treasury } = createKeystore(keystore, passphrase, [], keystoreCost);
  const { USDT, USDC, HKDT } = chain.treasury.contracts;
  const config: EvmChainConfig = {
    id: chainId,
    family: 'evm',
    name: 'Ethereum',
    chainId: chain.chainId,
    rpcUrls: [...chain.urls],
    confirmations: depth,
    pollIntervalMs: 50,
    rpcTimeoutMs,
    blockTimeMs: 12_000,
    replaceAfterBlocks: 10,
    nativeCoin: 'ETH',
    explorerUrl: null,
    tokens: Object.entries({ USDT, USDC, HKDT }).map(([coin, contract]) => ({ coin, contract })),
  };
  const first = await authorisationKeys();
  let publicKeys = [first.publicKey];
  const signerDatabase = openDatabase(db.urlFor('causeway_signer'), { poolSize: 2, applicationName: 'test-signer' });
  const log = createLog('test', process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const socket = join(directory, 'signer.sock');
  const signer = createSignerClient(socket);
  const addresses = evmAddresses({ xpub: evmXpub, gasTank, treasury });
  const sources = sourcesByFamily([addresses]);
  const register = createRegisterClient(socket);
  const opening = createWalletOpening(db.worker, sources);
  const beforeReading = createRegisteredOpening({ database: db.worker, sources, register, log });

  const gateway = createEvmGateway(config);
  const opened = openKeystore(keystore, passphrase);
  const keys = evmKeys(opened.derive);
  const journalFile = join(directory, 'journal.jsonl');

  const disk = { isFull: false };
  const journalDisk: LogDisk = {
    ...realDisk,
    write(fd, bytes, position) {
      realDisk.write(fd, disk.isFull ? bytes.subarray(0, 30) : bytes, position);
      if (disk.isFull) throw new Error('ENOSPC: no space left on device');
    },
  };
  const journalPlace = { database: signerDatabase, file: journalFile, gasTank, families: journaled, disk: journalDisk };

  async function employSigner(chains: readonly EvmChainConfig[]) {
    const journal = await openSignerJournal(journalPlace);
    const judge = createJudge({
      database: signerDatabase,
      families: signersOf(opened, chains, { evm: limits, bitcoin: bitcoinLimits }),
      kinds: outgoingKinds,
      openSeal: openSealsOf({ companies: publicKeys, operator: [operatorAuthorisation.publicKey] }),
      journal,
      log,
    });
    const checkpoint = createCheckpointSigner(signerDatabase, opened.auditSecret);
    const solvency = createSolvencySigner(signerDatabase, opened.auditSecret);
    const addresses = openAddressRegister({ file: journalFile, gasTank });
    const server = await serveSigner(socket, { sign: judge.sign, checkpoint, solvency, addresses }, log);
    return {
      judge,
      async close() {
        await server.close();
        journal.close();
        addresses.close();
      },
    };
  }

  /** Signer and worker as they start with a list of chains. */
  async function employ(chains: readonly EvmChainConfig[]) {
    await registerChains(db.superuserUrl, chainFamilies, chains);
    const ownSigner = await employSigner(chains);
    const gateways = new Map(
      chains.map((chain) => [chain.id, chain.id === chainId ? gateway : createEvmGateway(chain)]),
    );
    await opening.openMissing();
    const listener = createChainListener({ familyOf: () => evmFamily, database: db.worker, gateways, log });
    return { chains, signer: ownSigner, gateways, listener };
  }

  let employed: readonly EvmChainConfig[] = [config];
  let staff = await employ(employed);
  await chain.treasury.send('ETH', gasTank, '10');
  await chain.engine.mine(1);

  const partsWith = (parts: { gateway?: EvmGateway; signer?: Signer }) => ({
    database: db.worker,
    gateways: new Map([...staff.gateways, [chainId, parts.gateway ?? gateway]]),
    signer: parts.signer ?? signer,
    kinds: outgoingKinds,
    familyOf: () => evmFamily,
    log,
  });
  async function follow(own: EvmGateway = gateway, startBlock?: number): Promise<void> {
    await watchOnce({ database: db.worker, gateway: own, listener: staff.listener, log, startBlock, beforeReading });
    await traceOnce(partsWith({ gateway: own }), chainId);
  }

  async function work(parts: { gateway?: EvmGateway; signer?: Signer } = {}): Promise<void> {
    const sending = sendingJobs(partsWith(parts));
    const jobs = [...sending, ...actJobs({ ...treasuryActs }), ...treasuryJobs(), ...world.further];
    for (;;) {
      const events = await takeEvents(db.worker);
      if (events.length === 0) return;
      for (const event of events) {
        for (const job of jobs.filter((candidate) => candidate.on?.includes(event.name))) {
          await job.run({ companyId: event.companyId, database: db.worker, log }, event.payload);
        }
      }
    }
  }

  await follow();
  const world: ChainWorld = {
    db,
    chain,
    gateway,
    signer,
    seal: createSeal(first.privateKey),
    authorisationKey: first.privateKey,
    signerDatabase,
    gasTank,
    treasury,
    keys,
    config,
    async rotateAuthorisationKey({ keepsPrevious }) {
      const made = await authorisationKeys();
      publicKeys = [made.publicKey, ...(keepsPrevious ? publicKeys : [])];
      world.seal = createSeal(made.privateKey);
      world.authorisationKey = made.privateKey;
      await world.configure(employed);
    },
    async configure(chains) {
      employed = chains;
      await staff.signer.close();
      staff = await employ(chains);
    },
    compare: () => staff.signer.judge.compare(),
    journalFile,
    disk,
    rebuildJournal: () => rebuildJournal(journalPlace),
    stopSigner: () => staff.signer.close(),
    async startSigner() {
      staff = { ...staff, signer: await employSigner(staff.chains) };
      await staff.signer.judge.compare();
    },
    async backUp(name) {
      await db.backUp(name);
      await reconnect([db.app, db.worker, db.operator, signerDatabase]);
    },
    async restore(name) {
      await db.restore(name);
      await reconnect([db.app, db.worker, db.operator, signerDatabase]);
    },
    openMissing: () => opening.openMissing(),
    open: (companyId) => opening.open(companyId),
    async openApart({ id }) {
      const place = await takeApartPlace(db.worker, register, { companyId: id, family: 'evm' });
      const opened = await db.worker.withCompany(id, (tx) => openApart(tx, addresses, place));
      const address = opened?.get(chainId);
      if (address === undefined) throw new Error('no address was opened');
      return address as `0x${string}`;
    },
    async company() {
      const id = newId();
      await opening.open(id);
      return readCompany(db.worker, id);
    },
    reread: ({ id }) => readCompany(db.worker, id),
    follow,
    work,
    async advance(blocks) {
      for (let left = blocks; left > 0; left -= 1) {
        await chain.engine.mine(1);
        await follow();
        await work();
      }
    },
    addressing: { sources, register },
    further: [],
    parts: () => partsWith({}),
    tend: ({ rebroadcastAfterMs = 0, stuckAfterMs = 3_600_000 } = {}) =>
      tendOnce(partsWith({}), chainId, { intervalMs: 0, rebroadcastAfterMs, stuckAfterMs }),
    async asSuperuser(statement) {
      const client = new pg.Client({ connectionString: db.superuserUrl });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    },
    async close() {
      await staff.signer.close();
      await signerDatabase.close();
      await Promise.all([db.close(), chain.stop()]);
      rmSync(directory, { recursive: true });
    },
  };
  return world;
}

async function authorisationKeys(): Promise<{ privateKey: JsonWebKey; publicKey: JsonWebKey }> {
  const { privateKey, publicKey } = await newAuthorisationKeys();
  return { privateKey: JSON.parse(privateKey), publicKey: JSON.parse(publicKey) };
}
async function readCompany(database: Database, id: string): Promise<Company> {
  return database.withCompany(id, async (tx) => {
    const wallets = await sql<{ id: string; chain: string; coin: string; address: `0x${string}` }>`
      select w.id, w.chain_id as chain, w.asset_id as coin, a.address from wallet w
      join chain_address a on a.company_id = w.company_id and a.chain_id = w.chain_id
      where w.company_id = company_id()`.execute(tx);
    const address = wallets.rows[0]?.address;
    if (!address) throw new Error('the company has no wallet');
    const nameOf = ({ chain, coin }: { chain: string; coin: string }) =>
      chain === chainId ? coin : `${coin}@${chain}`;
    return { id, address, wallets: new Map(wallets.rows.map((wallet) => [nameOf(wallet), wallet.id])) };
  });
}

export function walletOf(company: Pick<Company, 'wallets'>, coin: string): string {
  const id = company.wallets.get(coin);
  if (!id) throw new Error(`the company has no wallet of ${coin}`);
  return id;
}

/** Balances in minor units by kind of account, those of nothing left out. */
export async function balances(world: ChainWorld, company: Company, coin: string): Promise<Record<string, bigint>> {
  const accounts = await world.db.worker.withCompany(company.id, (tx) => accountsOf(tx, [walletOf(company, coin)]));
  return Object.fromEntries(
    accounts.filter((account) => account.balanceMinor !== 0n).map((account) => [account.kind, account.balanceMinor]),
  );
}

import type { JsonWebKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import {
  type AddressRegister,
  type AddressSource,
  type AddressSources,
  type ChainFamily,
  type ChainListener,
  createKeystore,
  type Derive,
  evmJournal,
  familiesByName,
  type JournalFamily,
  journalFamilies,
  type KeyFamily,
  openAddressRegister,
  openKeystore,
  openSignerJournal,
  rebuildJournal,
  type SignerFamily,
  signerFamilies,
  sourcesByFamily,
} from '../features/chains/index.ts';
import { registerChains } from '../features/chains/registry.ts';
import { accountsByKind, move, post } from '../features/ledger/index.ts';
import { createJudge, type Judge } from '../features/rails/index.ts';
import { createOnReached, createWalletOpening, type OnReached, withFreshAddresses } from '../features/wallets/index.ts';
import { newAuthorisationKeys } from '../platform/crypto/new-keys.ts';
import { createSeal, openSealsOf, type Seal } from '../platform/crypto/seal.ts';
import { openDatabase, type Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/process/log.ts';
import { outgoingKinds } from './chain-families.ts';
import { approvedTransfer } from './chain-transfers.ts';
import { reconnect, type TestDatabase, testDatabase } from './database.ts';
import { keystoreCost } from './keystore.ts';
import { operatorAuthorisation } from './operator-authorisation.ts';

/** The signer of a chain of unspent outputs over a real PostgreSQL and a real journal file, without a worker and without nodes. */

const passphrase = 'a passphrase for tests';

/** A chain as the registry and the signer's configuration have it. */
export interface SignedChain {
  id: string;
  family: string;
  name: string;
  confirmations: number;
  blockTimeMs: number;
  nativeCoin: string;
  explorerUrl: string | null;
}

/** A family and its one chain. */
export interface FamilyUnderTest {
  chain: SignedChain;
  family: ChainFamily;
  keys: KeyFamily;
  journal: JournalFamily;
  addresses(publicKeys: Readonly<Record<string, string>>): AddressSource;
  signer(derive: Derive, chains: readonly SignedChain[]): SignerFamily;
}

export interface SignedCompany {
  id: string;
  /** Its first addresses, by ordinal. */
  addresses: string[];
  address: string;
  wallets: Map<string, string>;
}

/** What another start of the signer may find in its configuration. */
export interface SignerOptions {
  chains?: readonly SignedChain[];
  /** The public key, as a JWK, by which authorisations are verified. */
  authorisation?: string;
}

export interface FamilySignerWorld {
  db: TestDatabase;
  seal: Seal;
  /** The private key that the HTTP process seals authorisations with; the signer has its public half. */
  authorisationKey: JsonWebKey;
  sign: Judge['sign'];
  compare: Judge['compare'];
  journalFile: string;
  /** A company with the wallet of the chain's coin; funded by the books alone, unless it is to be funded by deposits. */
  company(options?: { isFunded: boolean }): Promise<SignedCompany>;
  /** The listener, which then also opens further addresses as deposits reach those that are open. */
  withFreshAddresses(listener: ChainListener): ChainListener;
  /** What opens addresses apart, as the worker has it. */
  addressing: { sources: AddressSources; register: AddressRegister };
  /** What it then does with addresses that something waits for. */
  onReached: OnReached;
  /** A transfer that was submitted, held and authorised. */
  transfer(company: SignedCompany, payee: string, amountMinor: bigint, feeMinor?: bigint, id?: string): Promise<string>;
  stopSigner(): Promise<void>;
  startSigner(options?: SignerOptions): Promise<void>;
  backUp(name: string): Promise<void>;
  /** The database is put back; the journal is not, and the signer must be started again. */
  restore(name: string): Promise<void>;
  rebuildJournal(): Promise<{ added: number; entries: number }>;
  asSuperuser(statement: string): Promise<void>;
  close(): Promise<void>;
}

export async function familySignerWorld(underTest: FamilyUnderTest): Promise<FamilySignerWorld> {
  const { chain, family, keys } = underTest;
  const db = await testDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'causeway-utxo-'));
  const keystore = join(directory, 'keystore.json');
  const { gasTank, families: publicKeys } = createKeystore(keystore, passphrase, [keys], keystoreCost);
  const { derive } = openKeystore(keystore, passphrase, [keys]);
  const { privateKey, publicKey } = await newAuthorisationKeys();
  await registerChains(db.superuserUrl, familiesByName([family]), [chain]);
  const source = underTest.addresses(publicKeys?.[keys.name] ?? {});
  const sources = sourcesByFamily([source]);
  const opening = createWalletOpening(db.worker, sources);
  const onReached = createOnReached({ database: db.worker, sources, chains: [chain] });
  const database = openDatabase(db.urlFor('causeway_signer'), { poolSize: 2, applicationName: 'test-signer' });
  const log = createLog('test', process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const journalFile = join(directory, 'journal.jsonl');
  const place = { database, file: journalFile, gasTank, families: journalFamilies([evmJournal, underTest.journal]) };

  async function employSigner({ chains = [chain], authorisation = publicKey }: SignerOptions = {}) {
    const journal = await openSignerJournal(place);
    const judge = createJudge({
      database,
      families: signerFamilies([underTest.signer(derive, chains)]),
      kinds: outgoingKinds,
      openSeal: openSealsOf({ companies: [JSON.parse(authorisation)], operator: [operatorAuthorisation.publicKey] }),
      journal,
      log,
    });
    return { judge, journal };
  }
  let staff = await employSigner();
  const register = openAddressRegister({ file: journalFile, gasTank });

  const world: FamilySignerWorld = {
    db,
    seal: createSeal(JSON.parse(privateKey)),
    authorisationKey: JSON.parse(privateKey),
    sign: (request) => staff.judge.sign(request),
    compare: () => staff.judge.compare(),
    journalFile,
    withFreshAddresses: (listener) => withFreshAddresses(listener, onReached),
    onReached,
    addressing: { sources, register },
    async company({ isFunded } = { isFunded: true }) {
      const id = newId();
      await opening.open(id);
      return db.worker.withCompany(id, async (tx) => {
        const addresses = await sql<{ address: string }>`
          select address from chain_own_address where company_id = company_id() and not is_change order by ordinal`.execute(
          tx,
        );
        const wallets = await sql<{ id: string }>`select id from wallet where company_id = company_id()`.execute(tx);
        const walletId = wallets.rows[0]?.id ?? '';
        if (isFunded) await fund(tx, walletId);
        const all = addresses.rows.map((row) => row.address);
        return { id, addresses: all, address: all[0] ?? '', wallets: new Map([[`BTC@${chain.id}`, walletId]]) };
      });
    },
    transfer: (company, payee, amountMinor, feeMinor = 1_000_000n, id = newId()) =>
      approvedTransfer(world, company, { coin: 'BTC', chain: chain.id, amountMinor, payee, feeMinor, id }),
    async stopSigner() {
      staff.journal.close();
    },
    async startSigner(options) {
      staff = await employSigner(options);
      await staff.judge.compare();
    },
    rebuildJournal: () => rebuildJournal(place),
    async backUp(name) {
      await db.backUp(name);
      await reconnect([db.app, db.worker, db.operator, database]);
    },
    async restore(name) {
      await db.restore(name);
      await reconnect([db.app, db.worker, db.operator, database]);
    },
    async asSuperuser(statement) {
      const client = new pg.Client({ connectionString: db.superuserUrl });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    },
    async close() {
      staff.journal.close();
      register.close();
      await database.close();
      await db.close();
      rmSync(directory, { recursive: true });
    },
  };
  return world;
}

async function fund(tx: Tx, walletId: string): Promise<void> {
  const { chain, available } = await accountsByKind(tx, walletId, ['chain', 'available']);
  const legs = move(chain.id, available.id, 10n ** 12n);
  await post(tx, { id: newId(), kind: 'deposit.credited', sourceId: newId(), description: 'a deposit', legs });
}

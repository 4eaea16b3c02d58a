import { createHash } from 'node:crypto';
import type { HDKey } from '@scure/bip32';
import { sql } from 'kysely';
import {
  accountOf,
  type BitcoinSigningLimits,
  bitcoinAddresses,
  bitcoinFamily,
  bitcoinJournal,
  bitcoinKeyFamily,
  bitcoinSigningPlanOf,
  changeOrdinal,
  createBitcoinSigner,
  type PaymentRequest,
} from '../../features/chains/index.ts';
import { type FamilySignerWorld, familySignerWorld, type SignedCompany } from '../signer-world.ts';

/** The signer of a Bitcoin chain over a real PostgreSQL and a real journal file, without a worker and without nodes. */

const network = 'regtest';

export const bitcoin = {
  id: 'bitcoin',
  family: 'bitcoin',
  name: 'Bitcoin',
  confirmations: 2,
  blockTimeMs: 600_000,
  nativeCoin: 'BTC',
  explorerUrl: null,
};

const limits: BitcoinSigningLimits = {
  maxFeeRate: 100,
  maxFeePercent: 10,
  smallFeeMinor: 5_000n,
  maxAccelerationsPerHour: 3,
  treasuryPerDay: new Map([['BTC', 1_000_000n]]),
};

/** An address of a company's, by its ordinal. */
export interface Place {
  address: string;
  ordinal: number;
}

export interface BitcoinCompany extends SignedCompany {
  /** Its index among the companies. */
  index: number;
  /** Where change goes. */
  change: Place[];
}

/** An output that a company could spend. */
export interface BitcoinCoin extends Place {
  hash: string;
  index: number;
  amountMinor: bigint;
}

export interface BitcoinOutput {
  address: string;
  amountMinor: bigint;
  ordinal: number | null;
}

export interface BitcoinSignerWorld extends FamilySignerWorld {
  /** What the worker knows of the keys. */
  account: HDKey;
  treasury: string;
  bitcoinCompany(): Promise<BitcoinCompany>;
  /** A request as the worker makes it. */
  request(
    company: BitcoinCompany,
    transferId: string,
    inputs: readonly BitcoinCoin[],
    outputs: readonly BitcoinOutput[],
  ): PaymentRequest;
}

export async function bitcoinSignerWorld(bounds: BitcoinSigningLimits = limits): Promise<BitcoinSignerWorld> {
  let publicKeys: Readonly<Record<string, string>> = {};
  const addresses = (known: typeof publicKeys) => {
    publicKeys = known;
    const treasury = known['regtestTreasury'] ?? null;
    return bitcoinAddresses({ xpub: known['testXpub'] ?? '', treasury, network });
  };
  const world = await familySignerWorld({
    chain: bitcoin,
    family: bitcoinFamily(network),
    keys: bitcoinKeyFamily,
    journal: bitcoinJournal,
    addresses,
    signer: (derive, chains) => createBitcoinSigner({ derive, network, chains, limits: bounds }),
  });
  const account = accountOf(publicKeys['testXpub'] ?? '', network);
  const source = addresses(publicKeys);
  return {
    ...world,
    account,
    treasury: publicKeys['regtestTreasury'] ?? '',
    async bitcoinCompany() {
      const company = await world.company();
      return world.db.worker.withCompany(company.id, async (tx) => {
        const { rows } = await sql<{ index: number }>`
          select derivation_index as index from chain_address where company_id = company_id()`.execute(tx);
        const index = rows[0]?.index ?? -1;
        const change = [0, 1].map((place) => {
          const ordinal = changeOrdinal(place);
          return { address: source.addressAt(index, ordinal), ordinal };
        });
        for (const { address, ordinal } of change) {
          await sql`insert into chain_further_address (company_id, chain_id, address, derivation_index)
            values (company_id(), ${bitcoin.id}, ${address}, ${ordinal}) on conflict do nothing`.execute(tx);
        }
        return { ...company, index, change };
      });
    },
    request(company, transferId, inputs, outputs) {
      const planned = { companyIndex: company.index, inputs, outputs };
      const plan = bitcoinSigningPlanOf(planned, { account, network });
      return { kind: 'transfer', companyId: company.id, transferId, paymentId: transferId, plan };
    },
  };
}

let coins = 0;
/** An output that no test has spent. */
export function newBitcoinCoin({ address, ordinal }: Place, amountMinor: bigint): BitcoinCoin {
  coins += 1;
  const hash = createHash('sha256').update(`bitcoin ${coins}`).digest('hex');
  return { hash, index: coins % 3, address, ordinal, amountMinor };
}

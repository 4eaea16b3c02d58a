import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chanceOf, isProof, roundsOfRun, seedOfRun } from './chance.ts';
import { openCompany } from './company.ts';
import { openJournal, readJournal } from './journal.ts';
import { describeTolls, killAtRandom, type Toll } from './killing.ts';
import { type LoadOptions, prepareLoad, startLoad } from './load.ts';
import { type Product, startProduct, victims } from './product.ts';
import { expectPromisesKept, settle } from './verdict.ts';

/** `npm run proof`; run by hand without its rounds, fewer. */
const [killsOfEach, transfersEach] = isProof ? [5, 7] : [1, 3];
const rounds = roundsOfRun();
const seed = seedOfRun();
const tolls: Toll[] = [];
let product: Product;

beforeAll(async () => {
  product = await startProduct('kills');
}, 180_000);

afterAll(async () => {
  for (const line of describeTolls(tolls)) process.stdout.write(`recovery of ${line}\n`);
  await product.stop();
}, 60_000);

test.each(Array.from({ length: rounds }, (_, index) => index + 1))(
  'nothing acknowledged is lost and nothing is sent twice, whatever is killed under load (round %i)',
  { timeout: 420_000 },
  async (round) => {
    process.stdout.write(`round ${round}: to repeat its choices, PROOF_SEED=${seed}\n`);
    const chance = chanceOf(seed + round);
    const file = join(product.dataDir, `journal-${round}.jsonl`);
    const journal = openJournal(file);
    const companies = [await openCompany(product, `left-${round}`), await openCompany(product, `right-${round}`)];
    const options: LoadOptions = { product, journal, chance, companies, transfersEach };
    const clients = await prepareLoad(options);
    const load = startLoad(options, clients);
    const transfers = clients.length * transfersEach;
    const [killed] = await Promise.all([
      killAtRandom(product, chance, { each: killsOfEach, load, transfers }),
      load.finished,
    ]);
    tolls.push(...killed);
    expect(killed).toHaveLength(killsOfEach * victims.length);
    journal.close();

    const notes = readJournal(file);
    await settle(companies, notes);
    await expectPromisesKept(product, companies, notes);
    expect(await product.run('verify-ledger')).toMatch(/, 0 mismatches$/m);
    expect(await product.run('verify-chain')).toMatch(/, 0 mismatches$/m);
  },
);

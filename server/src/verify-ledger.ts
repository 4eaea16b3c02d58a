import { sql } from 'kysely';
import { verifyCards } from './features/cards/index.ts';
import { verifyRequests } from './features/collections/index.ts';
import { verifyPosition } from './features/exchange/index.ts';
import { verifyLedger } from './features/ledger/index.ts';
import { verifyTrades } from './features/trades/index.ts';
import { configSchemas, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database.ts';
import { runCommand } from './platform/process/process.ts';

/** Recomputes the ledger from its entries: one line for each mismatch, exit code 1 when there is any. */
async function main(): Promise<void> {
  const config = readConfig(configSchemas.verify, process.env);
  const database = openDatabase(config.DATABASE_OPERATOR_URL, { poolSize: 1, applicationName: 'causeway-verify' });
  try {
    const { accounts, mismatches, position, ...features } = await database.withoutCompany(async (tx) => {
      await sql`set transaction isolation level repeatable read, read only`.execute(tx);
      return {
        ...(await verifyLedger(tx)),
        position: await verifyPosition(tx),
        requests: await verifyRequests(tx),
        trades: await verifyTrades(tx),
        cards: await verifyCards(tx),
      };
    });
    for (const { companyId, id, problem } of mismatches) process.stdout.write(`${companyId} ${id} ${problem}\n`);
    process.stdout.write(`ledger: ${accounts} accounts, ${mismatches.length} mismatches\n`);
    for (const { subject, problem } of position.mismatches) process.stdout.write(`${subject} ${problem}\n`);
    process.stdout.write(`position: ${position.entries} entries, ${position.mismatches.length} mismatches\n`);
    const { requests, trades, cards } = features;
    const found = [...requests.mismatches, ...trades.mismatches, ...cards.mismatches];
    for (const { companyId, id, problem } of found) process.stdout.write(`${companyId} ${id} ${problem}\n`);
    for (const { asset, minor } of cards.owed) process.stdout.write(`owed to the card issuer: ${asset} ${minor}\n`);
    process.stdout.write(`trades: ${trades.trades} with frozen money, ${trades.mismatches.length} mismatches\n`);
    process.stdout.write(`payment requests: ${requests.requests}, ${requests.mismatches.length} mismatches\n`);
    process.stdout.write(`cards: ${cards.purchases} purchases, ${cards.mismatches.length} mismatches\n`);
    if (mismatches.length + position.mismatches.length + found.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

await runCommand(main);

import type { OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getBankReconciliation } from '@causeway/contract/operator-banks.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { type BankFinding, reconcileBanks } from '../../rails/index.ts';
import { namesOfCompanies } from './moneys-store.ts';
import { findAccounts, findFilesOf, findLastNight, findPlaces, findTransactionsAmong } from './reconciling-store.ts';

/** The books beside the banks' statements, compared now by what `npm run bank:verify` runs, with the row that each difference is in. */

const mostFindings = 200;

export async function reconcile(
  context: OperatorContext & { database: Database },
): Promise<OutputInput<typeof getBankReconciliation>> {
  const { database, locale } = context;
  const at = context.clock.now();
  const { comparisons, findings } = await reconcileBanks(database);
  const shown = findings.slice(0, mostFindings);
  return database.withoutCompany(async (tx) => {
    const places = new Map((await findPlaces(tx)).map((place) => [`${place.bank}/${place.asset}`, place]));
    const accounts = Map.groupBy(await findAccounts(tx), ({ bank, asset }) => `${bank}/${asset}`);
    const decimalsOf = ({ bank, asset }: { bank: string; asset: string }) =>
      places.get(`${bank}/${asset}`)?.decimals ?? 0;
    const files = await findFilesOf(tx, shown);
    const companies = await namesOfCompanies(
      tx,
      shown.flatMap(({ companyId }) => companyId ?? []),
    );
    const transactions = await findTransactionsAmong(
      tx,
      shown.flatMap(({ sourceId }) => sourceId ?? []),
    );
    return {
      at: at.toISOString(),
      places: comparisons.map((comparison) => {
        const { bank, asset, statedMinor, bookedMinor, differenceMinor } = comparison;
        const place = places.get(`${bank}/${asset}`);
        const say = (minor: bigint) => formatAmount(minor, decimalsOf(comparison));
        return {
          bank,
          asset,
          bankName: place ? nameOfPlace(place, locale) : bank,
          stated: say(statedMinor),
          booked: say(bookedMinor),
          suspense: say(place?.suspenseMinor ?? 0n),
          difference: say(differenceMinor),
          accounts: (accounts.get(`${bank}/${asset}`) ?? []).map(({ number, sinceMinor, statement }) => ({
            number,
            since: say(sinceMinor),
            statement: statement && {
              ...statement,
              opening: say(BigInt(statement.opening)),
              total: say(BigInt(statement.total)),
              closing: say(BigInt(statement.closing)),
              difference: say(BigInt(statement.closing) - BigInt(statement.opening) - BigInt(statement.total)),
            },
          })),
        };
      }),
      findings: shown.map((finding) => shownFinding(finding)),
      isCut: findings.length > shown.length,
      night: await findLastNight(tx),
    };

    function shownFinding({ kind, id, bank, asset, account, companyId, sourceId, differenceMinor }: BankFinding) {
      const name = companyId === null ? undefined : companies.get(companyId);
      return {
        ...{ kind, id, bank, asset, account },
        company: companyId === null || name === undefined ? null : { id: companyId, name },
        fileId: files.get(id) ?? null,
        transactionId: sourceId !== null && transactions.has(sourceId) ? sourceId : null,
        difference: formatAmount(differenceMinor, decimalsOf({ bank, asset })),
      };
    }
  });
}

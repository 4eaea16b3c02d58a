import type { Database } from '../../../../platform/database/database.ts';
import { announce, live } from '../../../../platform/database/outbox.ts';
import type { OrderFolder } from '../../../banks/index.ts';
import { advanceOrder, companiesOf, nameOrder, type OpenOrder, openOrders } from './store.ts';

/**
 * Puts every open order of a bank into its folder, each exactly once. A file is written under an unfinished name, which the bank does not
 * read, and given its own name when it is whole. Both steps are noted before they begin, so that after a crash or an answer that did not
 * come the folder says what happened: a name is only ever given to a file that was noted as whole, and the bank alone takes a file
 * away. One visit to a bank runs at a time; a second one that had read the order before would find it further on, and leaves it.
 */
export async function deliverOrders(database: Database, bank: string, folder: OrderFolder): Promise<number> {
  const orders = await database.withoutCompany((tx) => openOrders(tx, bank));
  for (const order of orders) await deliver(database, order, folder);
  return orders.length;
}

async function deliver(database: Database, order: OpenOrder, folder: OrderFolder): Promise<void> {
  let { state } = order;
  const note = async (to: 'uploading' | 'uploaded') => {
    const isOurs = await database.withoutCompany((tx) => advanceOrder(tx, order.id, state, to));
    if (isOurs) state = to;
    return isOurs;
  };
  await tellCompanies(database, order);
  if (!(await isNamed(order, folder))) {
    if (state !== 'uploaded') {
      if (!(await note('uploading'))) return;
      await folder.put(order.fileName, order.content);
      if (!(await note('uploaded'))) return;
    }
    await folder.finish(order.fileName);
  }
  await database.withoutCompany((tx) => advanceOrder(tx, order.id, state, 'delivered'));
}

/** Whether the file had its name: it is there, or it was whole before and is there under neither name, since the bank took it. */
async function isNamed({ state, fileName }: OpenOrder, folder: OrderFolder): Promise<boolean> {
  if (state === 'made') return false;
  const found = await folder.look(fileName);
  return found === 'whole' || (found === 'none' && state === 'uploaded');
}

/** Companies see in which message their payments are before the bank does. */
export async function tellCompanies(
  database: Database,
  order: { id: string; messageId: string; fileName: string | null },
): Promise<void> {
  const companies = await database.withoutCompany((tx) => companiesOf(tx, order.id));
  for (const [companyId, ids] of companies) {
    await database.withCompany(companyId, async (tx) => {
      const named = await nameOrder(tx, ids, order);
      await announce(
        tx,
        named.map((id) => live('transaction', id)),
      );
    });
  }
}

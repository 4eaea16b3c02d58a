import * as cards from '@causeway/contract/cards.ts';
import * as limits from '@causeway/contract/cards-limits.ts';
import * as payments from '@causeway/contract/cards-payments.ts';
import * as receipts from '@causeway/contract/cards-receipts.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { FilesPorts } from '../files/index.ts';
import { changing, type SecondPersonPort } from '../organisation/index.ts';
import type { CardPorts } from './ports.ts';
import * as acts from './service/acts.ts';
import { exportReceiptFiles } from './service/archive.ts';
import { changingCard, issuing, removingRule, settingRule } from './service/controls.ts';
import { getPayment, listPayments } from './service/payments.ts';
import * as papers from './service/receipts.ts';
import { get, list, listRules } from './service/show.ts';
import { downloadStatement, exportReceipts } from './service/statement.ts';

export function registerCardRoutes(
  given: Http,
  ports: acts.RevealPorts & FilesPorts & { secondPerson: SecondPersonPort },
): void {
  const http = withPorts(given, ports);
  const { issuer }: CardPorts = ports;
  route.read(http, cards.listCards, list);
  route.read(http, limits.listCardRules, listRules);
  route.read(http, payments.listCardPayments, listPayments);
  route.open(http, payments.exportCardReceipts, 'slow work', exportReceipts);
  route.read(http, cards.getCard, get);
  route.open(http, payments.getCardStatement, 'slow work', downloadStatement);
  route.open(http, payments.uploadCardReceipt, 'slow work', papers.uploadReceipt);
  route.read(http, receipts.getCardPayment, getPayment);
  route.read(http, receipts.countMissingCardReceipts, papers.countMissingReceipts);
  route.open(http, receipts.downloadCardReceipt, 'slow work', papers.downloadReceipt);
  route.open(http, receipts.exportCardReceiptFiles, 'slow work', exportReceiptFiles);
  route.write(http, payments.addCardReceipt, papers.addReceipt);
  route.write(http, payments.removeCardReceipt, papers.removeReceipt);
  route.write(http, receipts.replaceCardReceipt, papers.replaceReceipt);
  route.write(http, payments.waiveCardReceipt, papers.waiveReceipt);
  route.write(
    http,
    cards.issueCard,
    changing((body) => issuing({ issuer }, body)),
  );
  route.write(http, cards.changeCard, changing(changingCard));
  route.write(
    http,
    limits.setCardRule,
    changing((body) => settingRule({ issuer }, body)),
  );
  route.write(http, limits.removeCardRule, changing(removingRule));
  route.write(http, cards.freezeCard, acts.freeze);
  route.write(http, cards.unfreezeCard, acts.unfreeze);
  route.write(http, cards.activateCard, acts.activate);
  route.write(http, cards.replaceCard, acts.replace);
  route.write(http, cards.closeCard, acts.close);
  route.write(http, cards.revealCard, acts.reveal);
}

import { showBank } from './bank.ts';
import { drawBankForms } from './bank-forms.ts';
import { showBankLists } from './bank-lists.ts';
import { drawBitcoinForms, showBitcoin } from './bitcoin.ts';
import { drawChainForms, showChain } from './chain.ts';
import { byId } from './dom.ts';
import { drawFaucet } from './faucet.ts';
import { setUpMails, showMails } from './mails.ts';
import { drawPriceForm, showPrices, showServices } from './services.ts';
import { drawShop, showShop } from './shop.ts';
import { loadTexts, locale } from './texts.ts';
import { drawTradeForm, showTrades } from './trades.ts';
import { drawWebhookForm, showWebhooks } from './webhooks.ts';

const REFRESH_MS = 2000;
const parts = [
  showMails,
  showChain,
  showBitcoin,
  showPrices,
  showServices,
  showBank,
  showBankLists,
  showWebhooks,
  showTrades,
  showShop,
];

async function refresh(): Promise<void> {
  const results = await Promise.allSettled(parts.map((show) => show(again)));
  byId('offline').hidden = results.every((result) => result.status === 'fulfilled');
}

function again(): void {
  refresh();
}

async function speak(next: string): Promise<void> {
  await loadTexts(next);
  for (const button of document.querySelectorAll<HTMLButtonElement>('#languages button')) {
    button.setAttribute('aria-pressed', String(button.getAttribute('data-locale') === next));
  }
  drawFaucet(again);
  drawChainForms(again);
  drawBitcoinForms(again);
  drawPriceForm(again);
  drawWebhookForm(again);
  drawTradeForm(again);
  await Promise.all([drawBankForms(again), drawShop(again)]);
  await refresh();
}

byId('languages').addEventListener('click', (event) => {
  const chosen = event.target instanceof HTMLElement ? event.target.getAttribute('data-locale') : null;
  if (chosen !== null) speak(chosen);
});
setUpMails(again);
await speak(locale());
setInterval(again, REFRESH_MS);

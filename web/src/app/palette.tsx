import { batchPalette, templatePalette } from '../features/batches/index.ts';
import { cardPalette } from '../features/cards/index.ts';
import { collectionPalette } from '../features/collections/index.ts';
import { limitPalette, standingPalette } from '../features/exchange/index.ts';
import { memberPalette } from '../features/organisation/index.ts';
import { otcPalette } from '../features/otc/index.ts';
import { payeePalette } from '../features/payees/index.ts';
import { tradePalette } from '../features/trades/index.ts';
import { transactionPalette } from '../features/transactions/index.ts';
import { useText } from '../lib/locale.tsx';
import { registerPaletteProvider } from '../lib/palette.ts';
import { PaletteDialog, type PaletteProps } from '../shell/palette-dialog.tsx';
import { menu } from './menu-entries.ts';
import { morePages } from './more-pages.ts';

registerPaletteProvider(transactionPalette);
registerPaletteProvider(payeePalette);
registerPaletteProvider(limitPalette);
registerPaletteProvider(standingPalette);
registerPaletteProvider(batchPalette);
registerPaletteProvider(templatePalette);
registerPaletteProvider(collectionPalette);
registerPaletteProvider(otcPalette);
registerPaletteProvider(tradePalette);
registerPaletteProvider(cardPalette);
registerPaletteProvider(memberPalette);

/** To any page, transaction, payee, planned exchange, payment request, request to the desk, guaranteed trade, card or member. */
export function Palette(props: PaletteProps) {
  const t = useText();
  return <PaletteDialog {...props} menu={menu} more={morePages} placeholder={t('app.palette.placeholder')} />;
}

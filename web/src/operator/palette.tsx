import { proposalPalette, staffPalette } from '../features/operator/index.ts';
import { companyPalette } from '../features/operator-companies/index.ts';
import { paymentPalette } from '../features/operator-payments/index.ts';
import { queuePalette } from '../features/operator-queue/index.ts';
import { useText } from '../lib/locale.tsx';
import { registerPaletteProvider } from '../lib/palette.ts';
import { PaletteDialog, type PaletteProps } from '../shell/palette-dialog.tsx';
import { menu } from './menu-entries.ts';
import { morePages } from './more-pages.ts';

registerPaletteProvider(companyPalette);
registerPaletteProvider(queuePalette);
registerPaletteProvider(paymentPalette);
registerPaletteProvider(proposalPalette);
registerPaletteProvider(staffPalette);

/** To any page, transaction, open proposal or colleague. */
export function Palette(props: PaletteProps) {
  const t = useText();
  return <PaletteDialog {...props} menu={menu} more={morePages} placeholder={t('ops.search')} />;
}

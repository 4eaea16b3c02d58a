import type { MenuEntry } from '../shell/menu.ts';

/** Pages that are reached from others and not from the menu; the palette knows them. */
export const morePages: readonly MenuEntry[] = [
  { label: 'app.title.transferOut', icon: 'arrowUp', path: '/app/transfer-out' },
  { label: 'app.title.recharge', icon: 'arrowDown', path: '/app/wallet/recharge' },
  { label: 'app.title.rates', icon: 'exchange', path: '/app/wallet/rates' },
  { label: 'app.title.fees', icon: 'file', path: '/app/wallet/fees' },
  { label: 'app.title.statement', icon: 'file', path: '/app/wallet/statement', permission: 'transaction.export' },
  { label: 'app.title.reserves', icon: 'shield', path: '/app/wallet/reserves', permission: 'transaction.export' },
  { label: 'app.title.exchange', icon: 'exchange', path: '/app/wallet/exchange' },
  { label: 'app.title.planned', icon: 'clock', path: '/app/wallet/exchange/planned' },
  { label: 'app.title.otcAsk', icon: 'plus', path: '/app/otc/ask', permission: 'exchange.create' },
  { label: 'app.title.tradego', icon: 'shield', path: '/app/wallet/tradego' },
  { label: 'app.title.payeeAdd', icon: 'plus', path: '/app/payee/add' },
  { label: 'app.title.bankPayeeAdd', icon: 'plus', path: '/app/payee/bank/add' },
  { label: 'app.title.notices', icon: 'bell', path: '/app/notice-center' },
  { label: 'app.title.security', icon: 'settings', path: '/app/account' },
];

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const fetched = vi.fn<() => Promise<{ messages: Record<string, unknown> }>>();
const base = { messages: {} };

vi.mock('virtual:texts', () => {
  const of = (load: () => unknown) => ({ 'en-us': load, 'zh-hk': load, 'zh-cn': load });
  return { catalogues: { base: of(async () => base), wallets: of(async () => base), payees: of(() => fetched()) } };
});

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  fetched.mockReset();
});
afterEach(() => vi.unstubAllGlobals());

it('texts that are on their way are waited for by everybody who needs them, and fetched once', async () => {
  const { applyLocale, loadTexts, translate } = await import('./locale.tsx');
  await applyLocale('en-us');
  const arrival = Promise.withResolvers<{ messages: Record<string, unknown> }>();
  fetched.mockReturnValue(arrival.promise);
  const preloaded = loadTexts(['payees']);
  const second = vi.fn();
  const opened = loadTexts(['payees']).then(second);
  // Texts that come at once overtake it: by then an answer that did not wait would be there.
  await loadTexts(['wallets']);
  expect(second).not.toHaveBeenCalled();
  arrival.resolve({ messages: { 'payees.title': ['Payees'] } });
  await Promise.all([preloaded, opened]);
  expect(translate('payees.title')).toBe('Payees');
  expect(fetched).toHaveBeenCalledOnce();
});

it('texts that did not come are asked for again', async () => {
  const { applyLocale, loadTexts, translate } = await import('./locale.tsx');
  await applyLocale('en-us');
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  await expect(loadTexts(['payees'])).rejects.toThrow();
  fetched.mockResolvedValueOnce({ messages: { 'payees.title': ['Payees'] } });
  await loadTexts(['payees']);
  expect(translate('payees.title')).toBe('Payees');
});

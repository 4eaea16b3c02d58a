import { afterEach, expect, it, vi } from 'vitest';
import { saveBlob } from './save-blob.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('saves under the name, and keeps the address while a busy browser may still read it', () => {
  vi.useFakeTimers();
  const link = { href: '', download: '', click: vi.fn() };
  vi.stubGlobal('document', { createElement: () => link });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  const revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  saveBlob('invoice.pdf', new Blob(['%PDF']));
  expect(link).toMatchObject({ href: 'blob:1', download: 'invoice.pdf' });
  expect(link.click).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(30_000);
  expect(revoked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(revoked).toHaveBeenCalledWith('blob:1');
});

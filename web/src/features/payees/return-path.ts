/**
 * Where the form for a new payee goes back to: an address of the console that the link named, with the new payee added to
 * it; null when none was named. Anything that is not a path under /app/ is refused, since the address bar is anybody's.
 */
export function returnPath(given: string | undefined, payeeId?: string): string | null {
  if (given === undefined || !/^\/app\/[a-z]/.test(given)) return null;
  const url = new URL(given, 'https://console.invalid');
  if (url.origin !== 'https://console.invalid' || !url.pathname.startsWith('/app/')) return null;
  if (payeeId !== undefined) url.searchParams.set('payee', payeeId);
  return `${url.pathname}${url.search}`;
}

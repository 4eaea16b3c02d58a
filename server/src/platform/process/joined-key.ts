/** `--key KEY` as one word: a public key in base64url may begin with a hyphen, and would be taken for an option. */
export function withJoinedKey(args: readonly string[]): string[] {
  const at = args.indexOf('--key');
  const key = args[at + 1];
  return at === -1 || key === undefined ? [...args] : args.toSpliced(at, 2, `--key=${key}`);
}

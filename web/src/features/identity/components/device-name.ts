import { useText } from '../../../lib/locale.tsx';

/** A browser as a person knows it: its name and the system's. */
export function useDeviceName(): (device: { browser: string | null; system: string | null }) => string {
  const t = useText();
  return ({ browser, system }) => {
    const known = [browser, system].filter((name) => name !== null);
    return known.length === 0 ? t('identity.device.unknown') : known.join(' · ');
  };
}

import { countries } from '@causeway/contract/countries.ts';
import { useMemo } from 'react';
import { useLocaleTag } from '../../lib/locale.tsx';

/** All countries, by their names in the reader's language. */
export function useCountryChoices(): { value: string; label: string }[] {
  const tag = useLocaleTag();
  return useMemo(() => {
    const names = new Intl.DisplayNames(tag, { type: 'region' });
    const choices = countries.map((country) => ({ value: country as string, label: names.of(country) ?? country }));
    return choices.sort((a, b) => a.label.localeCompare(b.label, tag));
  }, [tag]);
}

/** What a country is called in the reader's language. */
export function useCountryName(): (country: string) => string {
  const tag = useLocaleTag();
  return useMemo(() => {
    const names = new Intl.DisplayNames(tag, { type: 'region' });
    return (country: string) => names.of(country) ?? country;
  }, [tag]);
}

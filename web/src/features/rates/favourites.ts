import { useState } from 'react';
import { remember, remembered } from '../../lib/storage.ts';

const storageKey = 'rates.favourites';

/** The pairs marked in this browser, by `pairKey`, and what marks or unmarks one. */
export function useFavourites(): [ReadonlySet<string>, (key: string) => void] {
  const [favourites, setFavourites] = useState(() => new Set(remembered(storageKey)?.split(' ')));
  const toggle = (key: string) => {
    const next = new Set(favourites);
    if (!next.delete(key)) next.add(key);
    setFavourites(next);
    remember(storageKey, next.size === 0 ? null : [...next].join(' '));
  };
  return [favourites, toggle];
}

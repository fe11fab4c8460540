/** The preferences that this service carries out (protocol 8.2.8). */
export interface Preferences {
  readonly return?: 'representation' | 'minimal';
  readonly maxpagesize?: number;
}

/** Reads a Prefer header, with and without the `odata.` of 4.0; what is not understood is ignored, as it must be. */
export function parsePrefer(header: string | undefined): Preferences {
  const preferences = new Map((header ?? '').split(',').map(parsePreference));
  const wanted = preferences.get('return');
  const size = Number(preferences.get('maxpagesize') ?? '');
  return {
    ...((wanted === 'representation' || wanted === 'minimal') && { return: wanted }),
    ...(Number.isSafeInteger(size) && size > 0 && { maxpagesize: size }),
  };
}

function parsePreference(text: string): [string, string] {
  const [name = '', value = ''] = (text.split(';')[0] ?? '').split('=');
  return [name.trim().toLowerCase().replace(/^odata\./, ''), value.trim().replace(/^"|"$/g, '').toLowerCase()];
}

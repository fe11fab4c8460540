/**
 * Makes something once for each text. For headers, of which clients send few different ones; whoever sends many, or
 * long ones, is not served from here.
 */
export function remembered<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (known.size < most && text.length <= longest) known.set(text, made);
    return made;
  };
}

const most = 200;
const longest = 256;

import test from 'ava';
import { parseLogPosition, parsePosition } from '../../runtime/features/replicas/pools.js';

// oxfmt-ignore
const cases: { readonly [header: string]: { readonly timeline: string; readonly at: bigint } | undefined } = {
  '00000001-00000000016B3748': { timeline: '00000001', at: 0x16b3748n },
  '0000000A-FFFFFFFFFFFFFFFF': { timeline: '0000000A', at: 0xffff_ffff_ffff_ffffn },
  '': undefined, '00000001-0/16B3748': undefined, '00000001-': undefined, '00000001-00000000016b3748': undefined,
  '1-00000000016B3748': undefined, "00000001-00000000016B3748'": undefined,
};

test('a position has a timeline and a place in the log; other texts are none', (t) => {
  t.deepEqual(Object.fromEntries(Object.keys(cases).map((header) => [header, parsePosition(header)])), cases);
});

test('positions are ordered as numbers, not as texts', (t) => {
  t.true(parseLogPosition('1/0') > parseLogPosition('0/FFFFFFFF'));
  t.true(parseLogPosition('0/10') > parseLogPosition('0/9'));
});

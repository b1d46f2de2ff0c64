// Files that crash parsers, or take much memory or time.
import { Random } from '../../support/random.ts'

/** Files above are not indexed. */
const LARGEST = 1024 * 1024
const MIB = 1024 * 1024
/** At the end of lines of 50 MiB. */
const NEEDLE = Buffer.from('needleAtTheEnd')

/** Code of each language that can be nested: before, inside and after. */
const NESTINGS: Readonly<Record<string, readonly [string, string, string][]>> = {
  ts: [
    ['const a = [', '[', ']'],
    ['const a = ', '{a:', '}'],
    ['const a = ', '(', ')'],
    ['let a: ', 'A<', '>'],
    ['', 'namespace a {\n', '}'],
    ['const a = ', '`${', '}`'],
    ['const a = ', 'b => ', 'c'],
  ],
  js: [
    ['a = [', '[', ']'],
    ['a = ', '{a:', '}'],
    ['', 'function a() {\n', '}'],
    ['', 'if (a) {', '}'],
    ['', 'class A { m() {', '}}'],
    ['a = ', '-+', '1'],
    ['a = ', 'a ? b : ', 'c'],
  ],
  py: [
    ['a = ', '[', ']'],
    ['a = ', '(', ')'],
    ['a = ', '{1:', '}'],
    ['a = ', 'lambda: ', '1'],
    ['a = ', 'not ', 'b'],
  ],
  rs: [
    ['fn a() { ', '[', ']'],
    ['fn a() ', '{', '}'],
    ['type A = ', 'Vec<', '>'],
    ['', 'mod a {', '}'],
    ['fn a() { ', '!', 'b }'],
  ],
  go: [
    ['package a\nvar a = ', '(', ')'],
    ['package a\nfunc a() ', '{', '}'],
    ['package a\nvar a ', '[]', 'int'],
  ],
  java: [
    ['class A { int a = ', '(', ')'],
    ['', 'class A {', '}'],
    ['class A { void a() ', '{', '}'],
  ],
}
const DEPTHS = [1000, 40_000]

/** Code of each language that can be repeated on one line. */
const BUNDLED: Readonly<Record<string, string>> = {
  ts: 'export const e=(a:number)=>{return a+1};class C<T>{m(){return 1}};',
  js: 'function e(a){return function(){return a}};var t={n:function(){return e(1)}};',
  py: 'e = lambda a: a + 1; t = [e(1), {2: 3}]; ',
  rs: 'fn e(a: u32) -> u32 { a + 1 } struct T { n: u32 } ',
  go: 'func e(a int) int { return a + 1 }; type T struct { n int }; ',
  java: 'class E { int e(int a) { return a + 1; } } ',
}
const ENDINGS = Object.keys(NESTINGS)

/** Names and contents; every text contains `marker<number>`. */
export function hostileFiles(count: number): Map<string, Buffer> {
  const random = new Random(33)
  const files = new Map<string, Buffer>()
  const add = (name: string, ending: string, content: (marker: string) => string | Buffer) => {
    if (files.size >= count) return
    // Three digits, because a single one is not a word of the index.
    const number = 100 + files.size
    const comment = ending === 'py' ? '#' : '//'
    const made = content(`${comment} marker${number}\n`)
    files.set(`${number}-${name}.${ending}`, Buffer.isBuffer(made) ? made : Buffer.from(made))
  }
  for (const [ending, shapes] of Object.entries(NESTINGS))
    for (const [at, [before, inside, after]] of shapes.entries())
      for (const depth of DEPTHS) add(`nested${at}`, ending, (marker) => nested(marker, [before, inside, after], depth))
  for (const ending of ENDINGS) {
    const [line, go] = [BUNDLED[ending]!, ending === 'go' ? 'package a\n' : '']
    // All sizes of some languages, because parsers need seconds for each.
    const largest = ['ts', 'go'].includes(ending) ? LARGEST : LARGEST / 8
    for (const size of [LARGEST / 32, largest])
      add('bundle', ending, (marker) => marker + go + line.repeat(Math.floor((size - 50) / line.length)))
    add('line', ending, (marker) => `${marker}x ${'needle '.repeat(largest / 8)}`)
  }
  for (const ending of ['ts', 'js'])
    add('endless-line', ending, (marker) =>
      Buffer.concat([Buffer.from(marker), Buffer.alloc(50 * MIB, 'hay '), NEEDLE]),
    )
  while (files.size < count) {
    const ending = random.pick(ENDINGS)
    const bytes = (size: number, least: number) =>
      Buffer.from(Array.from({ length: size }, () => least + random.whole(256 - least)))
    add('binary', ending, (marker) => Buffer.concat([Buffer.from(marker), bytes(20_000, 1)]))
    add('binary-nul', ending, (marker) => Buffer.concat([Buffer.from(marker), bytes(20_000, 0)]))
    add('invalid-utf8', ending, (marker) => Buffer.concat([Buffer.from(marker), bytes(30_000, 128)]))
    add('halves', ending, (marker) =>
      Buffer.concat([Buffer.from(marker), Buffer.from('\xe2\x82'.repeat(9000), 'latin1')]),
    )
    add('utf16', ending, (marker) => Buffer.from(`\ufeff${marker}${BUNDLED[ending]!.repeat(50)}`, 'utf16le'))
    add('returns', ending, (marker) => marker + `${BUNDLED[ending]}\r`.repeat(1000))
    add('tokens', ending, (marker) => marker + '}]) ; "\' ` /* <!-- '.repeat(300))
  }
  return files
}

function nested(marker: string, [before, inside, after]: readonly [string, string, string], depth: number): string {
  const most = Math.floor((LARGEST - 200) / (inside.length + after.length))
  const levels = Math.min(depth, most)
  return `${marker}${before}${inside.repeat(levels)}${after.repeat(levels)}\n`
}

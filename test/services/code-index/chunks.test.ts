import { describe, expect, test } from 'vitest'
import { chunksOf, type Chunk } from '../../../services/code-index/chunks/chunk.ts'
import { Parsers } from '../../../services/code-index/chunks/parsers.ts'
import { tokensOf } from '../../../services/code-index/text/tokens.ts'

const parsers = new Parsers()
const chunks = async (path: string, language: string, text: string): Promise<Chunk[]> =>
  chunksOf(text, (await parsers.definitions({ path, language }, text)) ?? [])
const named = (all: readonly Chunk[]) => all.map(({ type, symbol, start, end }) => `${type} ${symbol} ${start}-${end}`)

describe('TypeScript', () => {
  test('makes documented chunks of functions, types, classes and members', async () => {
    const text = `import a from 'a'

/** Says hello. */
export function hello(): void {
  a()
}

export interface Greeter<in out T> {
  greet(name: T): void
}

/**
 * Greets.
 */
@decorated
export class Polite implements Greeter<string> {
  /** With a bow. */
  greet(name: string): void {
    const bow = name
    a(bow)
  }
  wave = () => {
    a()
  }
}

export const late = async () => {
  await a()
}
export type Name = string
`
    expect(named(await chunks('a.ts', 'typescript', text))).toEqual([
      'block null 1-2',
      'function hello 3-6',
      'interface Greeter 8-10',
      'class Polite 12-25',
      'method Polite.greet 17-21',
      'method Polite.wave 22-24',
      'function late 27-29',
      'type Name 30-30',
    ])
  })

  test('merges overloads with their implementation', async () => {
    const text = `export function pick(a: string): string
export function pick(a: number): number
export function pick(a: any): any {
  return a
}
`
    expect(named(await chunks('a.ts', 'typescript', text))).toEqual(['function pick 1-5'])
  })

  test('names assigned functions, object members and definitions in module wrappers', async () => {
    const body = Array.from({ length: 30 }, (_each, at) => `  use(${at})`).join('\n')
    const text = `Thing.prototype.run = function () {
  return 1
}
const table = {
  open() {
    return 1
  },
}
define(function () {
${body}
  function inner() {
    return 1
  }
})
`
    const symbols = (await chunks('a.js', 'javascript', text)).map(({ symbol }) => symbol)
    expect(symbols).toEqual(expect.arrayContaining(['Thing.prototype.run', 'table', 'table.open', 'inner']))
  })
})

test('keeps Python decorators with definitions and methods in their class', async () => {
  const text = `import os

# Cleans up.
@cached
def clean(path):
    """Clean."""
    return os.remove(path)


class Broom:
    """Sweeps."""

    def sweep(self):
        return 'dust'

if True:
    def late():
        pass
`
  expect(named(await chunks('a.py', 'python', text))).toEqual([
    'block null 1-2',
    'function clean 3-7',
    'class Broom 10-14',
    'method Broom.sweep 13-14',
    'block null 16-16',
    'function late 17-18',
  ])
})

test('keeps Rust attributes and documentation with items, methods in their impl', async () => {
  const text = `use std::fmt;

/// A queue.
#[derive(Debug)]
pub struct Queue<T> {
    items: Vec<T>,
}

impl<T> fmt::Display for Queue<T> {
    /// Shows it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "queue")
    }
}
`
  expect(named(await chunks('a.rs', 'rust', text))).toEqual([
    'block null 1-2',
    'struct Queue 3-7',
    'impl fmt::Display for Queue<T> 9-14',
    'method fmt::Display for Queue<T>.fmt 10-13',
  ])
})

test('shows the first lines of members in a class', async () => {
  const text = `class A {
  long() {
    one()
    two()
    three()
  }
}
`
  const [shown] = await chunks('a.js', 'javascript', text)
  expect(shown).toMatchObject({ type: 'class', content: 'class A {\n  long() {\n    one()\n}' })
})

test('cuts long definitions into overlapping windows without loss', async () => {
  const lines = Array.from({ length: 300 }, (_each, at) => `    step_${at}()`)
  const all = await chunks('a.py', 'python', `def long():\n${lines.join('\n')}\n`)
  expect(named(all)).toEqual(['window long 1-120', 'window long 101-220', 'window long 201-301'])
})

test.each([
  ['typescript', 'a.ts', 'const ??? {{{\n'],
  ['python', 'a.py', 'def (((\n'],
  ['cobol', 'a.cob', 'MOVE A TO B.\n'],
])('cuts an invalid %s file by lines without loss', async (language, path, line) => {
  const text = Array.from({ length: 150 }, (_each, at) => `${line.trimEnd()} word${at}`).join('\n')
  const found = (await chunks(path, language, text)).map(({ content }) => content).join('\n')
  expect(Array.from({ length: 150 }, (_each, at) => found.includes(`word${at}`))).not.toContain(false)
})

const words = (all: readonly Chunk[]) => all.map(({ content }) => content).join('\n')
const LONGEST = 8000
const sizes = (all: readonly Chunk[]) => all.map(({ content }) => content.length)

describe('bounds', () => {
  test('splits a line of any length between words, and skips lines without words', () => {
    const line = Array.from({ length: 10_000 }, (_each, at) => `word${at}`).join(' ')
    const all = chunksOf(line, [])
    expect(Math.max(...sizes(all))).toBeLessThanOrEqual(LONGEST)
    expect(all.length).toBeLessThan((2 * line.length) / LONGEST)
    expect(all.map(({ content }) => content.trim()).join(' ')).toBe(line)
    expect(new Set(all.map(({ start, end }) => `${start}-${end}`))).toEqual(new Set(['1-1']))
    expect(sizes(chunksOf('x'.repeat(20_000), []))).toEqual([8000, 8000, 4000])
    expect(chunksOf('\n---\n\n', [])).toEqual([])
  })

  test('cuts no character into halves', () => {
    const all = chunksOf(`x${'😀'.repeat(5000)}x`, [])
    expect(words(all)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  })

  test.each([
    ['typescript', 'a.ts', (at: number) => `export function f${at}(a){return a+${at}};`],
    ['javascript', 'a.js', (at: number) => `class C${at}{m(){return ${at}}n(){return 1}};`],
    ['python', 'a.py', (at: number) => `f${at} = lambda: ${at}; `],
    ['rust', 'a.rs', (at: number) => `fn f${at}() -> u32 { ${at} } `],
  ])('repeats no line of a one-line bundle of %s', async (language, path, of) => {
    const text = Array.from({ length: 2000 }, (_each, at) => of(at)).join('')
    const all = await chunks(path, language, text)
    expect(sizes(all).reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(text.length)
    expect(Math.max(...sizes(all))).toBeLessThanOrEqual(LONGEST)
    expect(words(all)).toContain('1999')
  })

  test('makes one chunk of the definitions that begin on a line', async () => {
    const text = 'function a() { return 1 } function b() { return 2 } class C { m() { return 3 } }\nfunction d() {}\n'
    expect(named(await chunks('a.js', 'javascript', text))).toEqual(['function a 1-1', 'function d 2-2'])
  })

  test('splits a long definition with few lines into windows without loss', async () => {
    const lines = Array.from({ length: 50 }, (_each, at) => `  const step${at} = '${'x'.repeat(400)}'`)
    const all = await chunks('a.ts', 'typescript', `export function long() {\n${lines.join('\n')}\n}\n`)
    expect(new Set(all.map(({ type, symbol }) => `${type} ${symbol}`))).toEqual(new Set(['window long']))
    expect(Math.max(...sizes(all))).toBeLessThanOrEqual(LONGEST)
    expect(lines.filter((line) => !words(all).includes(line))).toEqual([])
  })

  test('shows all fields of a class with many members', async () => {
    const members = Array.from({ length: 300 }, (_each, at) => `  m${at}() {\n    one()\n    two()\n  }`)
    const all = await chunks('a.ts', 'typescript', `class A {\n${members.join('\n')}\n  lastField = 1\n}\n`)
    expect(Math.max(...sizes(all))).toBeLessThanOrEqual(LONGEST)
    expect(words(all)).toContain('lastField')
  })

  test('makes few chunks of a generated file', async () => {
    const text = Array.from({ length: 10_000 }, (_each, at) => `export const value${at} = ${at}`).join('\n')
    const all = await chunks('a.ts', 'typescript', text)
    expect(all.length).toBeLessThan((2 * text.length) / LONGEST)
    expect(words(all)).toContain('value9999')
    expect(chunksOf('x\n'.repeat(500_000), []).length).toBeLessThan(250)
  })

  test('keeps definitions in definitions to a depth, under short names', async () => {
    const [name, depth] = ['n'.repeat(600), 60]
    const text = `${`namespace ${name} {\n`.repeat(depth)}class Inner {}\n${'}\n'.repeat(depth)}`
    const all = await chunks('a.ts', 'typescript', text)
    expect(Math.max(...all.map(({ symbol }) => symbol?.length ?? 0))).toBeLessThan(1300)
    expect(words(all)).toContain('class Inner')
  })
})

test('splits identifiers and queries into the same words', () => {
  expect(tokensOf('parseHTTPHeaders2')).toEqual(['pars', 'http', 'header'])
  expect(tokensOf('parsed parses parsing')).toEqual(['pars', 'pars', 'pars'])
  expect(tokensOf('the queries of a class')).toEqual(['the', 'query', 'of', 'class'])
  expect(tokensOf('größteZahl')).toEqual(['größt', 'zahl'])
})

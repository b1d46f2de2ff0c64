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

test('truncates an endless line and skips lines without words', () => {
  const [only] = chunksOf('x'.repeat(100_000), [])
  expect(only!.content).toHaveLength(8000)
  expect(chunksOf('\n---\n\n', [])).toEqual([])
})

test('splits identifiers and queries into the same words', () => {
  expect(tokensOf('parseHTTPHeaders2')).toEqual(['pars', 'http', 'header'])
  expect(tokensOf('parsed parses parsing')).toEqual(['pars', 'pars', 'pars'])
  expect(tokensOf('the queries of a class')).toEqual(['the', 'query', 'of', 'class'])
  expect(tokensOf('größteZahl')).toEqual(['größt', 'zahl'])
})

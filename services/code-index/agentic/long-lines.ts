// Shows the matched part of lines that are too long to be shown whole.
import { readSync } from 'node:fs'
import { GrepRefusal, runGrep, type GrepRun } from './grep-process.ts'
import { LONGEST_LINE, shown, type FoundLine } from './match-reader.ts'
import { OutputRecords } from './output-records.ts'

/** Bytes of `<number>:<offset>:`. */
const LARGEST_PLACE = 64
/** Bytes before the match; a match before this offset is in the beginning of its line. */
const BEFORE = 1000

interface Asked extends Omit<GrepRun, 'args' | 'heard'> {
  files: readonly number[]
  /** Descriptor of a file by its name in the output. */
  descriptorOf(name: string): number
}

/**
 * Sets the content of each line to the part with its first match. An empty match, or one that is too slow to find, leaves
 * the beginning.
 */
export async function showMatchedParts(lines: readonly FoundLine[], { descriptorOf, ...run }: Asked): Promise<void> {
  const left = new Map(lines.map((line) => [`${line.file}:${line.number}`, line]))
  const records = new OutputRecords(LARGEST_PLACE)
  const heard = (bytes: Buffer): boolean => {
    records.read(bytes, ({ name, text }) => {
      const [, number, offset] = /^(\d+):(\d+):/.exec(text.toString('latin1')) ?? []
      const line = left.get(`${name}:${number}`)
      if (!line) return
      left.delete(`${name}:${number}`)
      line.match.content = partOf(line, descriptorOf(name), Number(offset))
    })
    return left.size > 0
  }
  const names = new Set(lines.map(({ file }) => file))
  const args = ['-o', '-b', '-n', '-H', '-Z', '-I', '-s', '-e', run.about.pattern, '--', ...names]
  try {
    await runGrep({ ...run, args, heard })
  } catch (error) {
    if (!(error instanceof GrepRefusal)) throw error
  }
}

function partOf({ match, offset }: FoundLine, file: number, matchOffset: number): string {
  if (matchOffset - offset <= BEFORE) return match.content
  const bytes = Buffer.alloc(BEFORE + 4 * LONGEST_LINE)
  const length = readSync(file, bytes, 0, bytes.length, matchOffset - BEFORE)
  let start = 0
  while (start < 3 && isContinuation(bytes[start]!)) start++
  const text = new TextDecoder().decode(bytes.subarray(start, length), { stream: true })
  return shown(text.split('\n')[0]!)
}

/** True for a byte in a character of several bytes, except the first. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

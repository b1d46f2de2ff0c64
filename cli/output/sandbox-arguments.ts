// The arguments of bubblewrap, for people: one mount per line, grouped by what it allows.
import { dirname, join } from 'node:path'
import type { SandboxTrial } from '../../schemas/agent/sandbox-trial.ts'
import { shellWord } from '../../platform/core/shell-word.ts'
import { visible } from './print.ts'

export interface MadeSandbox extends SandboxTrial {
  /** Absolute path. */
  bwrap: string
  arguments: string[]
}

const TITLES = {
  namespaces: 'namespaces and rights',
  system: 'system',
  write: 'may be changed',
  read: 'read-only',
  hide: 'hidden',
  other: 'directory',
} as const
type Group = keyof typeof TITLES

export function sandboxText(made: MadeSandbox): string {
  const { agent_name, start, bwrap, sandbox } = made
  const groups: Record<Group, string[][]> = { namespaces: [], system: [], write: [], read: [], hide: [], other: [] }
  const emptyFile = join(dirname(sandbox?.tmp ?? ''), 'empty')
  for (const words of entriesOf(made.arguments)) groups[groupOf(words, emptyFile)].push(words)
  const of = start === 'current' ? 'of its running process' : 'of its next start'
  return [
    `sandbox of agent ${visible(agent_name)}, ${of}: arguments of ${bwrap}, in their order with -o json`,
    ...(Object.keys(TITLES) as Group[]).flatMap((group) => section(TITLES[group], groups[group])),
  ].join('\n')
}

const section = (title: string, entries: readonly string[][]): string[] =>
  entries.length === 0 ? [] : ['', title, ...entries.map((words) => `  ${visible(words.map(shellWord).join(' '))}`)]

/** Each option with its values. The mode of a mount is an option before it. */
function entriesOf(words: readonly string[]): string[][] {
  const entries: string[][] = []
  for (const word of words) {
    const last = entries.at(-1)
    const isMode = last?.[0] === '--perms' && last.length === 2
    if (last && (isMode || !word.startsWith('--'))) last.push(word)
    else entries.push([word])
  }
  return entries
}

function groupOf([option, ...values]: string[], emptyFile: string): Group {
  const [source] = values
  switch (option) {
    case '--bind':
      return 'write'
    case '--perms':
      return 'hide'
    case '--ro-bind':
      return source === emptyFile ? 'hide' : source === '/' ? 'system' : 'read'
    case '--chdir':
      return 'other'
    case '--ro-bind-try':
    case '--dev':
    case '--proc':
    case '--tmpfs':
    case '--symlink':
    case '--remount-ro':
      return 'system'
    default:
      return 'namespaces'
  }
}

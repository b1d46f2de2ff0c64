// The files that a redirection opens, as calls of the tools Read and Write.
import { absolute } from '../workplace.ts'
import type { EntryList } from './command-patterns.ts'
import type { ShellRedirect, SimpleCommand } from './simple-command.ts'

const TOOLS: Record<string, ('Read' | 'Write')[]> = {
  '<': ['Read'],
  '<>': ['Read', 'Write'],
  '>': ['Write'],
  '>>': ['Write'],
  '>|': ['Write'],
  '>&': ['Write'],
  '&>': ['Write'],
  '&>>': ['Write'],
}

/** Devices that keep nothing and tell nothing. */
const DEVICE = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/
export const isDevice = (path: string): boolean => DEVICE.test(path)

/** What the entries say to each file that may be opened; null for no file, or one that is not known. */
export function opened({ operator, target }: ShellRedirect, { folders }: SimpleCommand, list: EntryList) {
  const tools = TOOLS[operator]
  if (!tools || !folders || target.is !== 'literal' || target.text === '' || isDevice(target.text)) return null
  if (/^\/dev\/(tcp|udp)(\/|$)/.test(target.text) || (operator === '>&' && /^[\d-]/.test(target.text))) return null
  return folders.flatMap((workingDir) =>
    tools.map((tool) => list.listsFile(tool, absolute(target.text, { ...list.place, workingDir }))),
  )
}

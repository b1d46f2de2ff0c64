// One command written in several ways: options in another order, together or apart, long or short.
import { glob } from '../glob.ts'
import type { ShellWord } from './shell-word.ts'

/** Long options and the letters that say the same, by program. */
const SAME: Record<string, Record<string, string>> = {
  rm: { '--recursive': '-r', '-R': '-r', '--force': '-f', '--dir': '-d' },
  cp: { '--recursive': '-r', '-R': '-r', '--force': '-f' },
  chmod: { '--recursive': '-R' },
  chown: { '--recursive': '-R' },
  git: { '--force': '-f', '--delete': '-d', '--all': '-a', '--message': '-m' },
  kill: { '-KILL': '-9', '-SIGKILL': '-9' },
  sed: { '--in-place': '-i' },
  curl: { '--insecure': '-k', '--location': '-L' },
  npm: { '--global': '-g' },
}

/** Whether a command has all options of a pattern and its operands fit, or the one path that a pattern names. */
export function sameOptions(pattern: readonly string[], words: readonly ShellWord[]): boolean {
  const [program] = pattern
  if (program === undefined || program !== words[0]?.text) return false
  const wanted = split(program, pattern.slice(1))
  const [path, ...more] = wanted.operands
  const isPath = path !== undefined && more.length === 0 && /[/~]/.test(path)
  if (wanted.options.size === 0 && !isPath) return false
  const actual = split(
    program,
    words.slice(1).map(({ text }) => text),
  )
  const has = (option: string) =>
    [...actual.options].some(
      (each) => glob(option, each) || (option.endsWith('*') && same(program, option.slice(0, -1)) === each),
    )
  if (![...wanted.options].every(has)) return false
  if (isPath && actual.operands.some((each) => glob(path, each))) return true
  if (wanted.options.size === 0) return false
  const [fits, rest] = [wanted.operands.join(' '), actual.operands.join(' ')]
  if (glob(fits, rest) || (fits.endsWith(' *') && fits.slice(0, -2) === rest)) return true
  // `git push --force*` leaves open what else is there.
  return pattern.at(-1)?.endsWith('*') === true && (fits === '' || glob(`${fits} *`, rest))
}

function split(program: string, words: readonly string[]): { options: Set<string>; operands: string[] } {
  const options = new Set<string>()
  const operands: string[] = []
  for (const word of words) {
    if (word === '--') continue
    if (!/^-./.test(word)) operands.push(word)
    else if (program === 'sed' && /^(-[nErsuz]*i|--i)/.test(word)) options.add('-i')
    else if (/^-[A-Za-z]{2,}\*?$/.test(word) && SAME[program]?.[word] === undefined)
      for (const letter of word.slice(1).replace('*', '')) options.add(same(program, `-${letter}`))
    else options.add(same(program, word))
  }
  return { options, operands }
}

function same(program: string, option: string): string {
  const known = SAME[program] ?? {}
  const [name = ''] = option.split('=', 1)
  if (!name.startsWith('--')) return known[name] ?? option
  const full = Object.keys(known).filter((each) => name.length > 3 && each.startsWith(name))
  return full.length === 1 && full[0] !== undefined ? (known[full[0]] ?? option) : option
}

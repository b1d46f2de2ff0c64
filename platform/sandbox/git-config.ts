// Files that a configuration of git names: included ones, and the folder of hooks.
import { dirname, join, resolve } from 'node:path'
import type { FileFacts } from './facts.ts'

interface Place {
  root: string
  home: string
  facts: FileFacts
}

const SECTION = /^\s*\[\s*([\w.-]+)/
const SETTING = /^\s*(?:\[[^\]]*\]\s*)?([\w-]+)\s*=\s*(.*?)\s*$/
/** Read until none includes another; a limit, because a file may include itself. */
const MOST_FILES = 100

/** `repositories`: folders with a `config`. Also reads the settings of the user. */
export function configured(repositories: readonly string[], { root, home, facts }: Place): string[] {
  const ofTheUser = ['.gitconfig', '.config/git/config'].map((name) => join(home, name))
  const files = [...repositories.flatMap((each) => [join(each, 'config'), join(each, 'config.worktree')]), ...ofTheUser]
  const found: string[] = []
  for (let index = 0; index < Math.min(files.length, MOST_FILES); index++) {
    for (const { section, key, value } of settingsOf(facts.text(files[index]!) ?? '')) {
      const absolute = (base: string) => resolve(base, value.replace(/^~(?=\/)/, home))
      if (section === 'core' && key === 'hookspath') found.push(absolute(root))
      if (!section.startsWith('include') || key !== 'path') continue
      const file = absolute(dirname(files[index]!))
      if (!files.includes(file)) files.push(file)
      found.push(file)
    }
  }
  return found
}

/** Names in lower case. */
function settingsOf(text: string): { section: string; key: string; value: string }[] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    section = SECTION.exec(line)?.[1]!.toLowerCase() ?? section
    const [, key, value] = SETTING.exec(line) ?? []
    return key === undefined ? [] : [{ section, key: key.toLowerCase(), value: unquoted(value!) }]
  })
}

const unquoted = (value: string): string => /^"(.*?)"/.exec(value)?.[1] ?? value.replace(/\s*[#;].*$/, '')

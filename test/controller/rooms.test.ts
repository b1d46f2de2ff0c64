// The rooms of the controller import one way, and no file waits for itself, types included.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const top = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', 'controller')

/** Per room what it may import, beside the files at the top. */
const MAY_IMPORT: Record<string, string[]> = {
  reading: [],
  planning: ['reading'],
  watching: ['reading', 'planning'],
  running: ['reading', 'planning', 'watching'],
  rendering: [],
}

const files = readdirSync(top, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const targets = new Map(files.map((file) => [file, targetsOf(file)]))

/** The files of the controller that a file imports, types included. */
function targetsOf(file: string): string[] {
  const text = readFileSync(join(top, file), 'utf8')
  return [...text.matchAll(/\bfrom\s+'(\.[^']+)'/g)]
    .map((match) => relative(top, resolve(top, dirname(file), match[1]!)))
    .filter((target) => !target.startsWith('..'))
}

function roomOf(file: string): string | null {
  return file.includes('/') ? file.split('/')[0]! : null
}

test('every room is known', () => {
  expect([...new Set(files.map(roomOf))].filter((room) => room !== null).sort()).toEqual(Object.keys(MAY_IMPORT).sort())
})

test('rooms import one way', () => {
  const turned = files.flatMap((file) =>
    targets
      .get(file)!
      .filter((target) => {
        const [from, to] = [roomOf(file), roomOf(target)]
        return from !== null && to !== null && from !== to && !MAY_IMPORT[from]!.includes(to)
      })
      .map((target) => `${file} imports ${target}`),
  )
  expect(turned).toEqual([])
})

test('no file of the controller leads back to itself, types included', () => {
  const reaches = (from: string): Set<string> => {
    const seen = new Set<string>()
    const open = [...(targets.get(from) ?? [])]
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      open.push(...(targets.get(file) ?? []))
    }
    return seen
  }
  expect(files.filter((file) => reaches(file).has(file))).toEqual([])
})

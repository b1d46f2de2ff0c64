import { expect, test } from 'vitest'
import { elementPath, isBelow, pathOf, stepsOf, topMember } from '../../schemas/members/member-path.ts'

const keys = [
  'Read',
  'Bash(git log *)',
  'a.b',
  '/home/ann/.config',
  'Bash(ls [ab]*)',
  '"',
  '\\',
  '',
  ' x',
  'x ',
  '\n',
  ']',
  '…',
  '\u0000',
]

test.each(keys)('reads back an element with the key %j', (key) => {
  const path = `${elementPath('in.tools', key)}.role`
  expect(stepsOf(path)).toEqual([
    { key: 'in', isElement: false },
    { key: 'tools', isElement: false },
    { key, isElement: true },
    { key: 'role', isElement: false },
  ])
  expect(pathOf(stepsOf(path))).toBe(path)
})

test('writes a key without quotes if possible', () => {
  expect(['Read', 'Bash(git log *)', '/a/b.c', 'Bash(ls [ab]*)'].map((key) => elementPath('tools', key))).toEqual([
    'tools[Read]',
    'tools[Bash(git log *)]',
    'tools[/a/b.c]',
    'tools["Bash(ls [ab]*)"]',
  ])
})

test('treats brackets that open no element as part of a name', () => {
  expect(stepsOf('a[b.c')).toEqual([
    { key: 'a[b', isElement: false },
    { key: 'c', isElement: false },
  ])
  expect(stepsOf('a[]')).toEqual([{ key: 'a[]', isElement: false }])
  expect([stepsOf(''), topMember('')]).toEqual([[], ''])
  expect(stepsOf('a["\\x"]')).toEqual([{ key: 'a["\\x"]', isElement: false }])
})

test('detects paths below another in every spelling', () => {
  const below: [string, string, boolean][] = [
    ['tools[Read]', 'tools', true],
    ['tools[Read]', 'tools["Read"]', true],
    ['people[ann].role', 'people[ann]', true],
    ['people[ann].role', 'people', true],
    ['people[anna]', 'people[ann]', false],
    ['tools.Read', 'tools[Read]', false],
    ['toolset', 'tools', false],
    ['tools', 'tools[Read]', false],
    ['env.A', 'env', true],
  ]
  for (const [path, prefix, wanted] of below) expect(isBelow(path, [prefix]), `${path} ${prefix}`).toBe(wanted)
  expect(topMember('people[ann].role')).toBe('people')
})

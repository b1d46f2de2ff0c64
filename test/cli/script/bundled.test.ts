// A program that was built as one script, with and without the code that the compiler made of it.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Script } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundled } from '../../../cli/script/bundled.ts'
import { GROWTH_FLAGS } from '../../../daemon/memory.ts'
import { bin } from '../../support/built.ts'
import { root } from '../../support/root.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-bundled-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SCRIPT =
  '(function (exports, require, module, __filename) { exports.told = [require("of-ours"), require("node:path").sep, __filename] })'

const place = () => join(folder, 'program.cjs')
const told = () => bundled<{ told: unknown }>(pathToFileURL(place()), { 'of-ours': 'given' }).told
const compiledTo = (code: Buffer) => writeFileSync(`${place()}.${process.version}-${process.arch}`, code)

test('is given what it asks for by name, and all else from where it stands', () => {
  writeFileSync(place(), SCRIPT)
  expect(told()).toEqual(['given', '/', place()])
})

test.each([
  ['its own code', new Script(SCRIPT).createCachedData()],
  ['code of another script', new Script('1 + 1').createCachedData()],
  ['a file cut short', new Script(SCRIPT).createCachedData().subarray(0, 40)],
  ['an empty file', Buffer.alloc(0)],
])('does the same beside %s', (_what, code) => {
  writeFileSync(place(), SCRIPT)
  compiledTo(code)
  expect(told()).toEqual(['given', '/', place()])
})

/** Of node, as bin/svc starts a daemon. */
const YOUNG = /young="([^"]*)"/.exec(readFileSync(bin('svc'), 'utf8'))![1]!

test('`npm start` starts a daemon as bin/svc does', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(scripts.start).toContain(` node ${YOUNG} scripts/start.mjs`)
})

test.each([
  ['the daemon', 'daemon', YOUNG.split(' '), GROWTH_FLAGS],
  ['the commands', 'commands', [], []],
])('the code that the build made of %s is taken under the flags of a start', async (_what, name, young, flags) => {
  const chunks = join(root, 'dist', 'chunks')
  const found = readdirSync(chunks).filter((file) => new RegExp(`^${name}-\\w+\\.cjs$`).test(file))
  expect(found).toHaveLength(1)
  const asked = `
    const [script, ...flags] = process.argv.slice(1)
    flags.forEach((flag) => require('node:v8').setFlagsFromString(flag))
    const { readFileSync } = require('node:fs')
    const cachedData = readFileSync(script + '.' + process.version + '-' + process.arch)
    console.log(new (require('node:vm').Script)(readFileSync(script, 'latin1'), { cachedData }).cachedDataRejected)`
  const words = [...young, '-e', asked, '--', join(chunks, found[0]!), ...flags]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  expect(stdout).toBe('false\n')
})

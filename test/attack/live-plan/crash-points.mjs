// Loaded into a daemon before everything else: kills it, as `kill -9` does, right after its n-th effect. An effect is a
// committed write or a change of a terminal session. The file that SVC_CRASH_FILE names holds n; without it nothing
// happens, and what happened before it was there does not count.
import childProcess from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import sqlite from '@appthreat/sqlite3'

const file = process.env.SVC_CRASH_FILE
let effects = 0

function effect() {
  if (existsSync(file) && ++effects >= Number(readFileSync(file, 'utf8'))) process.kill(process.pid, 'SIGKILL')
}

/** Calls `effect` after each call of `plain` that succeeds. */
const told = (plain) =>
  function patched(...given) {
    const done = given.pop()
    return plain.call(this, ...given, function committed(error, ...more) {
      if (!error) effect()
      return done?.call(this, error, ...more)
    })
  }

/** Asked for as text, or of a statement that stays prepared. */
function afterCommits() {
  const { prototype } = sqlite.Database
  const isCommit = (sql) => /^commit/i.test(String(sql))
  for (const method of ['run', 'all', 'exec']) {
    const plain = prototype[method]
    const patched = told(plain)
    prototype[method] = function either(sql, ...rest) {
      return (isCommit(sql) ? patched : plain).call(this, sql, ...rest)
    }
  }
  const { prepare } = prototype
  prototype.prepare = function patched(sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest)
    if (isCommit(sql)) for (const method of ['run', 'all']) statement[method] = told(statement[method])
    return statement
  }
}

function afterSessions() {
  const { spawn } = childProcess
  childProcess.spawn = function patched(command, args, ...rest) {
    const child = spawn.call(this, command, args, ...rest)
    const changes = ['new-session', 'kill-session', 'kill-pane', 'respawn-pane']
    if (command === 'tmux' && changes.some((change) => args.includes(change))) child.prependListener('close', effect)
    return child
  }
  syncBuiltinESMExports()
}

if (file && process.argv.includes('serve')) {
  afterCommits()
  afterSessions()
}

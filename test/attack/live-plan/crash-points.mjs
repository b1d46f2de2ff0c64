// Preloaded: kills the daemon with SIGKILL after its n-th effect, a committed write or change of a terminal session.
// The file SVC_CRASH_FILE contains n; counting starts when it exists.
import childProcess from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import sqlite from '@appthreat/sqlite3'

const file = process.env.SVC_CRASH_FILE
let effects = 0

function effect() {
  if (existsSync(file) && ++effects >= Number(readFileSync(file, 'utf8'))) process.kill(process.pid, 'SIGKILL')
}

const reporting = (plain) =>
  function patched(...given) {
    const done = given.pop()
    return plain.call(this, ...given, function committed(error, ...more) {
      if (!error) effect()
      return done?.call(this, error, ...more)
    })
  }

/** Commits arrive as SQL text or as a prepared statement. */
function afterCommits() {
  const { prototype } = sqlite.Database
  const isCommit = (sql) => /^commit/i.test(String(sql))
  for (const method of ['run', 'all', 'exec']) {
    const plain = prototype[method]
    const patched = reporting(plain)
    prototype[method] = function either(sql, ...rest) {
      return (isCommit(sql) ? patched : plain).call(this, sql, ...rest)
    }
  }
  const { prepare } = prototype
  prototype.prepare = function patched(sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest)
    if (isCommit(sql)) for (const method of ['run', 'all']) statement[method] = reporting(statement[method])
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

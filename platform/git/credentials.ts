/** By reference: no configuration, row or log contains a secret. */
export interface GitCredentials {
  username?: string
  passwordVariable?: string
  sshKeyFile?: string
  /** Default: those of the machine and of the daemon's user. */
  knownHostsFile?: string
}

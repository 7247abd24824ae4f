import pg from 'pg'

/** One server of the cluster. The first is the coordinator. */
export interface ClusterNode {
  readonly host: string
  readonly port: number
}

const runOn = async (
  node: ClusterNode,
  user: string,
  database: string,
  statements: readonly string[],
): Promise<void> => {
  const client = new pg.Client({ ...node, user, database })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

export const runOnEach = (
  nodes: readonly ClusterNode[],
  user: string,
  database: string,
  statements: readonly string[],
) => Promise.all(nodes.map((node) => runOn(node, user, database, statements)))

/** The servers of the coordinator that `CITUS_URL` names: a database with Citus and two workers, as a superuser. */
export async function findCluster(url: string): Promise<{ user: string; nodes: readonly ClusterNode[] }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<ClusterNode>(
      `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`,
    )
    if (rows.length < 3)
      throw new Error('CITUS_URL must name the database of a coordinator that knows itself and two workers.')
    return { user: client.user as string, nodes: rows }
  } finally {
    await client.end()
  }
}

/** A database with Citus on each server, and without tables. */
export async function createClusterDatabase(nodes: readonly ClusterNode[], user: string, name: string): Promise<void> {
  await runOnEach(nodes, user, 'postgres', [`drop database if exists ${name} with (force)`, `create database ${name}`])
  await runOnEach(nodes, user, name, ['create extension citus'])
  const [coordinator, ...workers] = nodes as [ClusterNode, ...ClusterNode[]]
  await runOn(coordinator, user, name, [
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ])
}

/** Reference tables whose copies on the servers differ. None in a database that is not distributed. */
export async function findDifferentCopies(login: { host: string; port: number; user: string; database: string }) {
  const client = new pg.Client(login)
  await client.connect()
  try {
    const citus = await client.query(`select from pg_extension where extname = 'citus'`)
    if (citus.rowCount === 0) return []
    const { rows } = await client.query<{ name: string }>(`
      select s.logicalrelid::text as name
        from pg_dist_shard s join pg_dist_partition p using (logicalrelid)
       cross join lateral run_command_on_all_nodes(format(
               'select md5(coalesce(string_agg(r::text, chr(10) order by r::text), chr(10))) from %I r', s.logicalrelid::text || '_' || s.shardid)) as copy
       where p.partmethod = 'n' and p.repmodel = 't'
       group by 1 having count(distinct copy.result) > 1`)
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Copies need a template that nobody is connected to. The maintenance of Citus connects to every database that is in use. */
export const closeTemplate = (nodes: readonly ClusterNode[], user: string, name: string) =>
  runOnEach(nodes, user, 'postgres', [
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  ])

export const dropDatabases = (nodes: readonly ClusterNode[], user: string) =>
  Promise.all(
    nodes.map(async (node) => {
      const client = new pg.Client({ ...node, user, database: 'postgres' })
      await client.connect()
      const { rows } = await client.query<{ name: string }>(
        `select datname as name from pg_database where datname ~ '^t_[0-9a-f]{16}$'`,
      )
      for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`)
      await client.end()
    }),
  )

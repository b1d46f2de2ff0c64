--
-- PostgreSQL database dump
--

\restrict DvzAaL3TenVdGO0JRV9vbvufwHVBxX6LfVLegkAN2IIqGReIeh1hhkefoAOuI1A

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: controller_drift; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_drift (
    id character varying(255) NOT NULL,
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    path character varying(1024) NOT NULL,
    desired text NOT NULL,
    live text NOT NULL,
    last_applied text NOT NULL,
    actor character varying(255),
    request_id character varying(255),
    endpoint character varying(1024),
    first_seen character varying(255) NOT NULL,
    last_seen character varying(255) NOT NULL,
    resolution character varying(255)
);


--
-- Name: controller_inventory; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_inventory (
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    source character varying(255) NOT NULL,
    file character varying(4096) NOT NULL,
    line integer NOT NULL,
    "column" integer NOT NULL,
    live_id character varying(255),
    revision character varying(255),
    sync text NOT NULL,
    depends_on text NOT NULL,
    desired text NOT NULL,
    applied text,
    conditions text NOT NULL,
    deferred_since character varying(255)
);


--
-- Name: controller_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_migrations_id_seq OWNED BY public.controller_migrations.id;


--
-- Name: controller_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_migrations_lock_index_seq OWNED BY public.controller_migrations_lock.index;


--
-- Name: controller_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_runs (
    id character varying(255) NOT NULL,
    source character varying(255) NOT NULL,
    revision character varying(255),
    status character varying(255) NOT NULL,
    actor character varying(255) NOT NULL,
    started_at character varying(255) NOT NULL,
    ended_at character varying(255),
    summary text NOT NULL,
    error text
);


--
-- Name: controller_sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_sources (
    name character varying(255) NOT NULL,
    location character varying(4096) NOT NULL,
    revision character varying(255),
    suspended boolean NOT NULL,
    observed_at character varying(255)
);


--
-- Name: controller_steps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_steps (
    run_id character varying(255) NOT NULL,
    seq integer NOT NULL,
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    action character varying(255) NOT NULL,
    status character varying(255) NOT NULL,
    live_id character varying(255),
    error text,
    started_at character varying(255),
    ended_at character varying(255)
);


--
-- Name: orchestrator_agents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_agents (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name text NOT NULL,
    status character varying(16) NOT NULL,
    config text NOT NULL,
    launched_config text,
    token_hash character varying(64),
    launch_file text,
    worktree text,
    launches integer DEFAULT 0 NOT NULL,
    restarts integer DEFAULT 0 NOT NULL,
    last_error text,
    warnings text DEFAULT '[]'::text NOT NULL,
    prompt_due boolean DEFAULT false NOT NULL,
    program_session text,
    program_version text,
    session_number integer DEFAULT 1 NOT NULL,
    cost_seen double precision DEFAULT '0'::double precision NOT NULL,
    api_ms_seen double precision DEFAULT '0'::double precision NOT NULL,
    seen_frames text DEFAULT '[]'::text NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_agents_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_agents_seq_seq OWNED BY public.orchestrator_agents.seq;


--
-- Name: orchestrator_approvals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_approvals (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    agent_id character varying(36) NOT NULL,
    request_id text NOT NULL,
    tool_name text NOT NULL,
    tool_input text NOT NULL,
    input_digest character varying(64) NOT NULL,
    launch integer NOT NULL,
    session_number integer NOT NULL,
    status character varying(16) NOT NULL,
    scope character varying(16),
    updated_input text,
    decided_by character varying(256),
    reason text,
    created_at character varying(30) NOT NULL,
    expires_at character varying(30) NOT NULL,
    decided_at character varying(30),
    delivered_at character varying(30)
);


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_approvals_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_approvals_seq_seq OWNED BY public.orchestrator_approvals.seq;


--
-- Name: orchestrator_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_audit_seq_seq OWNED BY public.orchestrator_audit.seq;


--
-- Name: orchestrator_dispatches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_dispatches (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    workflow_id character varying(36) NOT NULL,
    source_id text NOT NULL,
    agent_id character varying(36) NOT NULL,
    prompt_sent text NOT NULL,
    status character varying(16) NOT NULL,
    trigger_type character varying(32) NOT NULL,
    attempt integer NOT NULL,
    error text,
    result text,
    usage text,
    created_at character varying(30) NOT NULL,
    dispatched_at character varying(30),
    completed_at character varying(30)
);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_dispatches_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_dispatches_seq_seq OWNED BY public.orchestrator_dispatches.seq;


--
-- Name: orchestrator_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_migrations_id_seq OWNED BY public.orchestrator_migrations.id;


--
-- Name: orchestrator_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_migrations_lock_index_seq OWNED BY public.orchestrator_migrations_lock.index;


--
-- Name: orchestrator_policies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_policies (
    name character varying(256) NOT NULL,
    mode character varying(32) NOT NULL,
    tools text NOT NULL,
    description text,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_prompts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_prompts (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    agent_id character varying(36) NOT NULL,
    kind character varying(16) NOT NULL,
    rank integer NOT NULL,
    content text NOT NULL,
    dispatch_id character varying(36),
    policy text,
    status character varying(16) NOT NULL,
    error text,
    created_at character varying(30) NOT NULL,
    sent_at character varying(30),
    done_at character varying(30)
);


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_prompts_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_prompts_seq_seq OWNED BY public.orchestrator_prompts.seq;


--
-- Name: orchestrator_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_sessions (
    agent_id character varying(36) NOT NULL,
    number integer NOT NULL,
    input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    output_tokens double precision DEFAULT '0'::double precision NOT NULL,
    cache_read_input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    cache_creation_input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    total_cost_usd double precision DEFAULT '0'::double precision NOT NULL,
    num_turns double precision DEFAULT '0'::double precision NOT NULL,
    duration_ms double precision DEFAULT '0'::double precision NOT NULL,
    duration_api_ms double precision DEFAULT '0'::double precision NOT NULL,
    result_count double precision DEFAULT '0'::double precision NOT NULL,
    started_at character varying(30),
    ended_at character varying(30)
);


--
-- Name: orchestrator_workflows; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_workflows (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name character varying(256) NOT NULL,
    agent_id character varying(36) NOT NULL,
    trigger_config text NOT NULL,
    prompt_template text NOT NULL,
    poll_interval_secs integer NOT NULL,
    enabled boolean NOT NULL,
    tool_policy text NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_workflows_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_workflows_seq_seq OWNED BY public.orchestrator_workflows.seq;


--
-- Name: controller_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations ALTER COLUMN id SET DEFAULT nextval('public.controller_migrations_id_seq'::regclass);


--
-- Name: controller_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.controller_migrations_lock_index_seq'::regclass);


--
-- Name: orchestrator_agents seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_agents_seq_seq'::regclass);


--
-- Name: orchestrator_approvals seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_approvals_seq_seq'::regclass);


--
-- Name: orchestrator_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_audit ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_audit_seq_seq'::regclass);


--
-- Name: orchestrator_dispatches seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_dispatches_seq_seq'::regclass);


--
-- Name: orchestrator_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations ALTER COLUMN id SET DEFAULT nextval('public.orchestrator_migrations_id_seq'::regclass);


--
-- Name: orchestrator_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.orchestrator_migrations_lock_index_seq'::regclass);


--
-- Name: orchestrator_prompts seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_prompts_seq_seq'::regclass);


--
-- Name: orchestrator_workflows seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_workflows_seq_seq'::regclass);


--
-- Data for Name: controller_drift; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_drift VALUES ('417f9379-ef54-42f1-89e9-f6f63b26ce24', 'agents', 'reader', 'tool_policy.mode', '"allow_list"', '"deny_all"', '"allow_list"', 'tester', '684e1148-2bcb-425e-af55-1dbffec46dd6', 'PUT /agents/{id}/policy', '2026-11-22T01:10:23.576Z', '2026-11-22T01:10:23.636Z', 'reverted');
INSERT INTO public.controller_drift VALUES ('b4c19d9f-e2d1-4573-900c-56505b660bfe', 'agents', 'reader', 'tool_policy.tools', '["Grep","Read"]', 'null', '["Grep","Read"]', 'tester', '684e1148-2bcb-425e-af55-1dbffec46dd6', 'PUT /agents/{id}/policy', '2026-11-22T01:10:23.576Z', '2026-11-22T01:10:23.636Z', 'reverted');
INSERT INTO public.controller_drift VALUES ('e4de3b9b-7f32-4f51-8fbe-be9140b682ee', 'agents', 'reader', 'tool_policy.mode', '"allow_list"', '"deny_all"', '"allow_list"', 'tester', '432f2ac7-ab12-4ced-b2a2-c2d4ecd26654', 'PUT /agents/{id}/policy', '2026-11-22T01:10:23.656Z', '2026-11-22T01:10:23.656Z', NULL);
INSERT INTO public.controller_drift VALUES ('69df6a01-ce37-47a0-8a06-b26a5d40847b', 'agents', 'reader', 'tool_policy.tools', '["Grep","Read"]', 'null', '["Grep","Read"]', 'tester', '432f2ac7-ab12-4ced-b2a2-c2d4ecd26654', 'PUT /agents/{id}/policy', '2026-11-22T01:10:23.656Z', '2026-11-22T01:10:23.656Z', NULL);


--
-- Data for Name: controller_inventory; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_inventory VALUES ('policies', 'readers', 'default', 'policies/readers.yml', 1, 1, 'readers', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"readers","mode":"allow_list","tools":["Grep","Read"],"description":null}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('policies', 'ask-first', 'default', 'policies/ask-first.yml', 1, 1, 'ask-first', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"ask-first","mode":"require_approval","tools":[],"description":null}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'writer', 'default', 'agents/writer.yml', 1, 1, 'd3c9e963-c868-444b-9c2b-5f2863988aeb', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:0k+pHm4eaBq2T5pKeJ3dzM9Nt0YPavzcAV4MOzuymyQXVfjFllqwtM4="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'by-hand', 'default', 'workflows/by-hand.yml', 1, 1, '6778e2a1-e8f0-4b37-a100-c2de11a2078d', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/writer"]', '{"name":"by-hand","agent":"writer","trigger":{"type":"manual"},"prompt_template":"Do {{title}}\n","poll_interval_secs":60,"enabled":true,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'builder', 'default', 'agents/builder.yml', 1, 1, '5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/ask-first"]', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'hook', 'default', 'workflows/hook.yml', 1, 1, 'f8f51ff5-4573-4471-aa9a-242e53c74018', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/reader"]', '{"name":"hook","agent":"reader","trigger":{"type":"webhook","secret":{"$sealed":"sealed:v1:mdPOM/iGjW01voDWMtNDkrmKMxPNHO5oXcvUzHeffphXOP9/HqeB"}},"prompt_template":"Read {{title}}\n","poll_interval_secs":60,"enabled":true,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'reader', 'default', 'agents/reader.yml', 1, 1, '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/readers"]', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"on-failure"}', '=desired', '[{"type":"Ready","status":"True","reason":"Healthy","message":"running","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T01:10:23.585Z"},{"type":"Drifted","status":"True","reason":"DriftFound","message":"live differs from what was applied; GET /drift says where","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T01:10:23.585Z"}]', NULL);


--
-- Data for Name: controller_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations VALUES (1, '001-inventory-runs-drift', 1, '2026-11-22 01:10:22.034+00');


--
-- Data for Name: controller_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations_lock VALUES (1, 0);


--
-- Data for Name: controller_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_runs VALUES ('b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'controller', '2026-11-22T01:10:22.988Z', '2026-11-22T01:10:23.321Z', '{"create":7,"update":0,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL);
INSERT INTO public.controller_runs VALUES ('7033f29b-5e3c-4c4d-83fa-32770098f6c7', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'tester', '2026-11-22T01:10:23.607Z', '2026-11-22T01:10:23.632Z', '{"create":0,"update":1,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL);


--
-- Data for Name: controller_sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_sources VALUES ('default', '/tmp/svc-stand-gR9bi3/project/manifests', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', false, '2026-11-22T01:10:23.641Z');


--
-- Data for Name: controller_steps; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_steps VALUES ('b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 1, 'policies', 'readers', 'create', 'done', 'readers', NULL, '2026-11-22T01:10:23.000Z', '2026-11-22T01:10:23.014Z');
INSERT INTO public.controller_steps VALUES ('b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 0, 'policies', 'ask-first', 'create', 'done', 'ask-first', NULL, '2026-11-22T01:10:23.000Z', '2026-11-22T01:10:23.017Z');
INSERT INTO public.controller_steps VALUES ('b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 2, 'agents', 'writer', 'create', 'done', 'd3c9e963-c868-444b-9c2b-5f2863988aeb', NULL, '2026-11-22T01:10:23.000Z', '2026-11-22T01:10:23.076Z');
INSERT INTO public.controller_steps VALUES ('b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 5, 'workflows', 'by-hand', 'create', 'done', '6778e2a1-e8f0-4b37-a100-c2de11a2078d', NULL, '2026-11-22T01:10:23.082Z', '2026-11-22T01:10:23.101Z');
INSERT INTO public.controller_steps VALUES ('b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 3, 'agents', 'builder', 'create', 'done', '5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1', NULL, '2026-11-22T01:10:23.082Z', '2026-11-22T01:10:23.176Z');
INSERT INTO public.controller_steps VALUES ('b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 4, 'agents', 'reader', 'create', 'done', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', NULL, '2026-11-22T01:10:23.082Z', '2026-11-22T01:10:23.259Z');
INSERT INTO public.controller_steps VALUES ('b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 6, 'workflows', 'hook', 'create', 'done', 'f8f51ff5-4573-4471-aa9a-242e53c74018', NULL, '2026-11-22T01:10:23.274Z', '2026-11-22T01:10:23.306Z');
INSERT INTO public.controller_steps VALUES ('7033f29b-5e3c-4c4d-83fa-32770098f6c7', 0, 'agents', 'reader', 'update', 'done', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', NULL, '2026-11-22T01:10:23.613Z', '2026-11-22T01:10:23.628Z');


--
-- Data for Name: orchestrator_agents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_agents VALUES (2, '5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1', 'builder', 'running', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', 'd5ce483774d49217ac6ad50d93f54118fe1100eaf969175fc957c0158893be14', '/tmp/svc-stand-gR9bi3/data/launch/5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1.json', NULL, 1, 0, NULL, '[]', false, 'a314f33e-e2f3-44f0-b809-f8463295dafe', '1.0.0', 1, 0.0008286, 28, '["038fb1e7-f1ff-48c1-b340-d9b3695292d4"]', '2026-11-22T01:10:23.093Z', '2026-11-22T01:10:23.143Z');
INSERT INTO public.orchestrator_agents VALUES (3, '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', 'reader', 'running', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"deny_all"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"on-failure"}', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"on-failure"}', '34a5d8682540bc36e65bae49be11bc1ece46c69827b9d222e1def84747e19ea7', '/tmp/svc-stand-gR9bi3/data/launch/15f1588e-9656-41a0-ac0e-0ccb2edfedc0.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T01:10:23.099Z', '2026-11-22T01:10:23.649Z');
INSERT INTO public.orchestrator_agents VALUES (4, '5ed7fcc8-e4d4-4972-8f0f-ee5f1ca3e14b', 'guest', 'running', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:v7+woubZMVvXodHtxUheS9owtiD0/NIQzyVPu3XY8KKatQDSTNu9iQ=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"never"}', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:EVlc2Wd13GJohx/igx9IqdJObsc+Tc4Bp3LUvPf5HFVbfgQ9XR1X5g=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"never"}', '3f80f0ad78afd84c7205bc49dcdf605df5a363f18a20cda1c7b0d34fd945ee8b', '/tmp/svc-stand-gR9bi3/data/launch/5ed7fcc8-e4d4-4972-8f0f-ee5f1ca3e14b.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T01:10:23.398Z', '2026-11-22T01:10:23.420Z');
INSERT INTO public.orchestrator_agents VALUES (1, 'd3c9e963-c868-444b-9c2b-5f2863988aeb', 'writer', 'running', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:3W9YAb+9gW/RB4MBdQEKHCs3Th6ghfpwzSD7Tht98ThhM8BX3BPyLp0="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:Q7p+CzXE3mXn95bt0WSdLEm079HPzYkH6SF8F7A79QYYoB7/9SgK0lY="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '9ac38bd37b75f2cd432bb9b632adc377947cd0760111a0fa5655187cfa20c623', '/tmp/svc-stand-gR9bi3/data/launch/d3c9e963-c868-444b-9c2b-5f2863988aeb.json', NULL, 1, 0, NULL, '[]', false, '15378511-68b5-430e-8993-d3affa44be32', '1.0.0', 1, 0.00030015, 13, '["a4d040b3-b04e-4350-95cb-d48585d97532","458dbff2-a43a-407a-894c-4d2e33ff6645"]', '2026-11-22T01:10:23.021Z', '2026-11-22T01:10:23.066Z');


--
-- Data for Name: orchestrator_approvals; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_approvals VALUES (1, 'ba2cb0b7-d6be-418d-af19-3c5b3cfed900', '5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1', 'b7d5e3fe-72d9-4ea8-8ecc-fb62db4b9b6b', 'Bash', '{"command":"echo decided","description":"Run a command"}', 'b6b8c85e66e91e5e66c1557f488ae5b393761b484a83ba6cb6e8605ac58bf275', 1, 1, 'approved', 'once', NULL, 'tester', NULL, '2026-11-22T01:10:23.709Z', '2126-10-29T01:10:23.709Z', '2026-11-22T01:10:23.718Z', '2026-11-22T01:10:23.723Z');
INSERT INTO public.orchestrator_approvals VALUES (2, '46e2a5fc-e671-44bd-a782-f44ad1619794', '5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1', 'b7a65552-4cc1-4708-b3dc-a3af1d05f262', 'Bash', '{"command":"echo pending","description":"Run a command"}', 'ce43324873b0aa3ac7fc5f51cb0a8fa058846e9c55874c880fa296a8b1db9386', 1, 1, 'pending', NULL, NULL, NULL, NULL, '2026-11-22T01:10:23.775Z', '2126-10-29T01:10:23.775Z', NULL, NULL);


--
-- Data for Name: orchestrator_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_audit VALUES (1, 'policies', 'readers', '', 'controller', 'b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 'controller', '2026-11-22T01:10:23.008Z');
INSERT INTO public.orchestrator_audit VALUES (2, 'policies', 'ask-first', '', 'controller', 'b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 'controller', '2026-11-22T01:10:23.011Z');
INSERT INTO public.orchestrator_audit VALUES (3, 'agents', 'd3c9e963-c868-444b-9c2b-5f2863988aeb', '', 'controller', 'b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 'controller', '2026-11-22T01:10:23.025Z');
INSERT INTO public.orchestrator_audit VALUES (4, 'workflows', '6778e2a1-e8f0-4b37-a100-c2de11a2078d', '', 'controller', 'b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 'controller', '2026-11-22T01:10:23.093Z');
INSERT INTO public.orchestrator_audit VALUES (5, 'agents', '5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1', '', 'controller', 'b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 'controller', '2026-11-22T01:10:23.096Z');
INSERT INTO public.orchestrator_audit VALUES (6, 'agents', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', '', 'controller', 'b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 'controller', '2026-11-22T01:10:23.107Z');
INSERT INTO public.orchestrator_audit VALUES (7, 'workflows', 'f8f51ff5-4573-4471-aa9a-242e53c74018', '', 'controller', 'b6d54a1e-eccd-4b72-bf12-6c09248d4ac5', 'controller', '2026-11-22T01:10:23.290Z');
INSERT INTO public.orchestrator_audit VALUES (8, 'agents', '5ed7fcc8-e4d4-4972-8f0f-ee5f1ca3e14b', '', 'tester', '7cc37616-894d-45b0-b4c7-a9d8faf72676', 'POST /agents', '2026-11-22T01:10:23.400Z');
INSERT INTO public.orchestrator_audit VALUES (9, 'agents', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', 'tool_policy.mode', 'tester', '684e1148-2bcb-425e-af55-1dbffec46dd6', 'PUT /agents/{id}/policy', '2026-11-22T01:10:23.571Z');
INSERT INTO public.orchestrator_audit VALUES (10, 'agents', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', 'tool_policy.tools', 'tester', '684e1148-2bcb-425e-af55-1dbffec46dd6', 'PUT /agents/{id}/policy', '2026-11-22T01:10:23.571Z');
INSERT INTO public.orchestrator_audit VALUES (11, 'agents', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', 'tool_policy.mode', 'controller', '7033f29b-5e3c-4c4d-83fa-32770098f6c7', 'controller', '2026-11-22T01:10:23.624Z');
INSERT INTO public.orchestrator_audit VALUES (12, 'agents', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', 'tool_policy.tools', 'controller', '7033f29b-5e3c-4c4d-83fa-32770098f6c7', 'controller', '2026-11-22T01:10:23.624Z');
INSERT INTO public.orchestrator_audit VALUES (13, 'agents', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', 'tool_policy.mode', 'tester', '432f2ac7-ab12-4ced-b2a2-c2d4ecd26654', 'PUT /agents/{id}/policy', '2026-11-22T01:10:23.650Z');
INSERT INTO public.orchestrator_audit VALUES (14, 'agents', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', 'tool_policy.tools', 'tester', '432f2ac7-ab12-4ced-b2a2-c2d4ecd26654', 'PUT /agents/{id}/policy', '2026-11-22T01:10:23.650Z');


--
-- Data for Name: orchestrator_dispatches; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_dispatches VALUES (1, '6d2cef4f-e5d4-4a9a-b061-69356a8d387a', '6778e2a1-e8f0-4b37-a100-c2de11a2078d', 'manual:e70b513f-8cec-48ee-baa0-8cb0426d86df', 'd3c9e963-c868-444b-9c2b-5f2863988aeb', 'Do a task
', 'completed', 'manual', 1, NULL, 'ECHO(1): Do a task
', '{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":2,"total_cost_usd":0.0000915,"num_turns":1,"duration_ms":2,"duration_api_ms":5,"result_count":1}', '2026-11-22T01:10:23.514Z', '2026-11-22T01:10:23.524Z', '2026-11-22T01:10:23.549Z');


--
-- Data for Name: orchestrator_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations VALUES (1, '001-core', 1, '2026-11-22 01:10:21.969+00');


--
-- Data for Name: orchestrator_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations_lock VALUES (1, 0);


--
-- Data for Name: orchestrator_policies; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_policies VALUES ('readers', 'allow_list', '["Grep","Read"]', NULL, '2026-11-22T01:10:23.008Z', '2026-11-22T01:10:23.007Z');
INSERT INTO public.orchestrator_policies VALUES ('ask-first', 'require_approval', '[]', NULL, '2026-11-22T01:10:23.006Z', '2026-11-22T01:10:23.006Z');


--
-- Data for Name: orchestrator_prompts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_prompts VALUES (1, '4f9aed77-0bcf-4029-ac5c-22c44e6ef921', 'd3c9e963-c868-444b-9c2b-5f2863988aeb', 'dispatch', 1, 'Do a task
', '6d2cef4f-e5d4-4a9a-b061-69356a8d387a', NULL, 'done', NULL, '2026-11-22T01:10:23.515Z', '2026-11-22T01:10:23.523Z', '2026-11-22T01:10:23.549Z');
INSERT INTO public.orchestrator_prompts VALUES (2, '0e993f98-a583-4510-a1db-94221784c63b', '5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1', 'message', 1, 'USE_TOOL Bash echo decided', NULL, NULL, 'done', NULL, '2026-11-22T01:10:23.683Z', '2026-11-22T01:10:23.688Z', '2026-11-22T01:10:23.746Z');
INSERT INTO public.orchestrator_prompts VALUES (3, '1ebe91ae-1022-4653-bf5c-96c4e83685b8', '5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1', 'message', 1, 'USE_TOOL Bash echo pending', NULL, NULL, 'sent', NULL, '2026-11-22T01:10:23.756Z', '2026-11-22T01:10:23.760Z', NULL);
INSERT INTO public.orchestrator_prompts VALUES (4, 'ba45e7d8-f726-4d1a-8c39-ebc7732ab880', 'd3c9e963-c868-444b-9c2b-5f2863988aeb', 'message', 1, 'a message that is done', NULL, NULL, 'done', NULL, '2026-11-22T01:10:23.792Z', '2026-11-22T01:10:23.796Z', '2026-11-22T01:10:23.812Z');
INSERT INTO public.orchestrator_prompts VALUES (5, 'f9d8e17f-0d82-4a20-b627-3c34b5eb611d', 'd3c9e963-c868-444b-9c2b-5f2863988aeb', 'message', 1, 'SLOW 600000 a turn that is cut short', NULL, NULL, 'sent', NULL, '2026-11-22T01:10:23.829Z', '2026-11-22T01:10:23.832Z', NULL);
INSERT INTO public.orchestrator_prompts VALUES (6, '740ceb07-6c96-400a-bd9a-fc349dde8276', 'd3c9e963-c868-444b-9c2b-5f2863988aeb', 'message', 1, 'a message that waits', NULL, NULL, 'queued', NULL, '2026-11-22T01:10:23.842Z', NULL, NULL);


--
-- Data for Name: orchestrator_sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_sessions VALUES ('15f1588e-9656-41a0-ac0e-0ccb2edfedc0', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T01:10:23.101Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('5ed7fcc8-e4d4-4972-8f0f-ee5f1ca3e14b', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T01:10:23.399Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('5e1d6eee-29f6-4ddf-b13b-b91acceb9ce1', 1, 83, 28, 7, 42, 0.0008286, 2, 38, 28, 1, '2026-11-22T01:10:23.093Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('d3c9e963-c868-444b-9c2b-5f2863988aeb', 1, 21, 13, 3, 11, 0.00030015, 2, 2, 13, 2, '2026-11-22T01:10:23.024Z', NULL);


--
-- Data for Name: orchestrator_workflows; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_workflows VALUES (1, '6778e2a1-e8f0-4b37-a100-c2de11a2078d', 'by-hand', 'd3c9e963-c868-444b-9c2b-5f2863988aeb', '{"type":"manual"}', 'Do {{title}}
', 60, true, '{"mode":"auto"}', '2026-11-22T01:10:23.090Z', '2026-11-22T01:10:23.090Z');
INSERT INTO public.orchestrator_workflows VALUES (2, 'f8f51ff5-4573-4471-aa9a-242e53c74018', 'hook', '15f1588e-9656-41a0-ac0e-0ccb2edfedc0', '{"type":"webhook","secret":{"$sealed":"sealed:v1:TInh8Xh8M/CHCBvCBSEIPcIu9/5hqpLa5wmYGbxnTgQH0Eh4TuOW"}}', 'Read {{title}}
', 60, true, '{"mode":"auto"}', '2026-11-22T01:10:23.288Z', '2026-11-22T01:10:23.288Z');


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_id_seq', 1, true);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_lock_index_seq', 1, true);


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_agents_seq_seq', 4, true);


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_approvals_seq_seq', 2, true);


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_audit_seq_seq', 14, true);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_dispatches_seq_seq', 1, true);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_id_seq', 1, true);


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_lock_index_seq', 1, true);


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_prompts_seq_seq', 6, true);


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_workflows_seq_seq', 2, true);


--
-- Name: controller_drift controller_drift_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_drift
    ADD CONSTRAINT controller_drift_pkey PRIMARY KEY (id);


--
-- Name: controller_inventory controller_inventory_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_inventory
    ADD CONSTRAINT controller_inventory_pkey PRIMARY KEY (kind, name);


--
-- Name: controller_migrations_lock controller_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations_lock
    ADD CONSTRAINT controller_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: controller_migrations controller_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations
    ADD CONSTRAINT controller_migrations_pkey PRIMARY KEY (id);


--
-- Name: controller_runs controller_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_runs
    ADD CONSTRAINT controller_runs_pkey PRIMARY KEY (id);


--
-- Name: controller_sources controller_sources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sources
    ADD CONSTRAINT controller_sources_pkey PRIMARY KEY (name);


--
-- Name: controller_steps controller_steps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_steps
    ADD CONSTRAINT controller_steps_pkey PRIMARY KEY (run_id, seq);


--
-- Name: orchestrator_agents orchestrator_agents_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents
    ADD CONSTRAINT orchestrator_agents_id_unique UNIQUE (id);


--
-- Name: orchestrator_agents orchestrator_agents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents
    ADD CONSTRAINT orchestrator_agents_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_approvals orchestrator_approvals_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals
    ADD CONSTRAINT orchestrator_approvals_id_unique UNIQUE (id);


--
-- Name: orchestrator_approvals orchestrator_approvals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals
    ADD CONSTRAINT orchestrator_approvals_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_audit orchestrator_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_audit
    ADD CONSTRAINT orchestrator_audit_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_dispatches orchestrator_dispatches_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches
    ADD CONSTRAINT orchestrator_dispatches_id_unique UNIQUE (id);


--
-- Name: orchestrator_dispatches orchestrator_dispatches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches
    ADD CONSTRAINT orchestrator_dispatches_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_migrations_lock orchestrator_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations_lock
    ADD CONSTRAINT orchestrator_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: orchestrator_migrations orchestrator_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations
    ADD CONSTRAINT orchestrator_migrations_pkey PRIMARY KEY (id);


--
-- Name: orchestrator_policies orchestrator_policies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_policies
    ADD CONSTRAINT orchestrator_policies_pkey PRIMARY KEY (name);


--
-- Name: orchestrator_prompts orchestrator_prompts_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts
    ADD CONSTRAINT orchestrator_prompts_id_unique UNIQUE (id);


--
-- Name: orchestrator_prompts orchestrator_prompts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts
    ADD CONSTRAINT orchestrator_prompts_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_sessions orchestrator_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_sessions
    ADD CONSTRAINT orchestrator_sessions_pkey PRIMARY KEY (agent_id, number);


--
-- Name: orchestrator_workflows orchestrator_workflows_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_id_unique UNIQUE (id);


--
-- Name: orchestrator_workflows orchestrator_workflows_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_name_unique UNIQUE (name);


--
-- Name: orchestrator_workflows orchestrator_workflows_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_pkey PRIMARY KEY (seq);


--
-- Name: controller_drift_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_kind_name_index ON public.controller_drift USING btree (kind, name);


--
-- Name: controller_drift_last_seen_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_last_seen_index ON public.controller_drift USING btree (last_seen);


--
-- Name: controller_drift_resolution_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_resolution_index ON public.controller_drift USING btree (resolution);


--
-- Name: controller_inventory_source_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_inventory_source_index ON public.controller_inventory USING btree (source);


--
-- Name: controller_runs_started_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_started_at_index ON public.controller_runs USING btree (started_at);


--
-- Name: controller_runs_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_status_index ON public.controller_runs USING btree (status);


--
-- Name: controller_steps_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_steps_kind_name_index ON public.controller_steps USING btree (kind, name);


--
-- Name: orchestrator_agents_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_agents_status_index ON public.orchestrator_agents USING btree (status);


--
-- Name: orchestrator_approvals_agent_id_request_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_request_id_index ON public.orchestrator_approvals USING btree (agent_id, request_id);


--
-- Name: orchestrator_approvals_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_status_index ON public.orchestrator_approvals USING btree (status);


--
-- Name: orchestrator_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_audit_kind_resource_id_index ON public.orchestrator_audit USING btree (kind, resource_id);


--
-- Name: orchestrator_dispatches_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_status_index ON public.orchestrator_dispatches USING btree (status);


--
-- Name: orchestrator_dispatches_workflow_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_index ON public.orchestrator_dispatches USING btree (workflow_id);


--
-- Name: orchestrator_prompts_agent_id_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_agent_id_status_index ON public.orchestrator_prompts USING btree (agent_id, status);


--
-- Name: orchestrator_workflows_agent_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_workflows_agent_id_index ON public.orchestrator_workflows USING btree (agent_id);


--
-- Name: controller_steps controller_steps_run_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_steps
    ADD CONSTRAINT controller_steps_run_id_foreign FOREIGN KEY (run_id) REFERENCES public.controller_runs(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict DvzAaL3TenVdGO0JRV9vbvufwHVBxX6LfVLegkAN2IIqGReIeh1hhkefoAOuI1A


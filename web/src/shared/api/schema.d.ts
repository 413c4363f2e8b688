// Made by `npm run api` from http/openapi.json. Do not edit.

export interface paths {
    "/api/admin/agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agents that connect workers, and what their machines have */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_AgentView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/agent-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tokens that let agents in, without their secrets */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_AgentTokenView"];
                    };
                };
            };
        };
        put?: never;
        /** Makes a token for agents; the answer is the only place where it is shown */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAgentTokenBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewAgentTokenView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/agent-token/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes a token; its agents are cut off within seconds */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/agent-token/{id}/allow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets agents of a token in again whose workers were removed */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/agent/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agent of one worker, with its models */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What admins did, newest first (operators only) */
        get: {
            parameters: {
                query?: {
                    action?: components["schemas"]["AuditAction"];
                    /** @description Who did it. */
                    admin?: string;
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description From then on. */
                    from?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description The thing, or the person whose it is. */
                    target?: string;
                    /** @description Before then. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_AuditEntryView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/basic-workflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All basic workflows in their order, also those that are hidden at the moment */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/basic-workflow/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Puts the basic workflows into another order */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BasicsOrderBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkflowView"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/comment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All comments, newest first, hidden ones too (operators only)
         * @description A call looks at some thousands of comments: a page may be empty and the list go on all the same.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description A word that they have; parts of words are enough. */
                    keyword?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description Whose they are. */
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_CommentView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/credit/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives credits to a person (operators only) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GrantBody"];
                };
            };
            responses: {
                /** @description The person's balance after it */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BalanceView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/moderation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The moderators' queue */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description All kinds when it is left out. */
                    kind?: components["schemas"]["ReportKind"];
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description `newest` (the default, by the last report) or `mostReported`. */
                    sort?: "newest" | "mostReported";
                    /** @description All states when it is left out. */
                    state?: components["schemas"]["CaseState"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_CaseView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/moderation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A case with its reports, the thing as it is now, and its author's history */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CaseDetailView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/moderation/{id}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decides a case
         * @description The thing, its author, those who reported it and the audit log learn of it together. What is hidden is private, and
         *     its author cannot publish it again until the case is restored.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecideBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CaseView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notices, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_NoticeView"];
                    };
                };
            };
        };
        put?: never;
        /** Tells everybody something */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NoticeBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NoticeView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notice/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a notice back, out of every box */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions of everybody with their addresses, the newest first (operators only) */
        get: {
            parameters: {
                query?: {
                    /** @description The whole address of the network that they began at. */
                    address?: string;
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_SightingView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/upkeep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every task that is done in the background, and how its last round went */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_UpkeepTaskView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/upkeep/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Has a task done now, before it is due; where it is being done, once more after that */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example orphaned_files */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UpkeepTaskView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People, the newest first (operators only) */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description A part of the name or the e-mail address, or the whole id. */
                    keyword?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_PersonView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A person with their standing (operators only) */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PersonDetailView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/user/{id}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bans somebody, in the place of an earlier ban (operators only)
         * @description Whoever is banned reads on and takes part in nothing: ACCOUNT_BANNED tells them until when and why.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BanBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BanView"];
                    };
                };
            };
        };
        /** Lifts somebody's ban (operators only) */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/user/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes an operator's word that the address of this account is its owner's (operators only) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PersonView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/user/{id}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Makes somebody an admin, or takes the role back (operators only)
         * @description There is always one admin left, and nobody takes their own role.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoleBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PersonView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/user/{id}/warning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Warns somebody by a notice in their box (operators only) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WarningBody"];
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/worker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every worker and what it does */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkerView"];
                    };
                };
            };
        };
        put?: never;
        /** Connects to a worker */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkerBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkerView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/worker/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Disconnects a worker for good; its running job is tried elsewhere */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/worker/{id}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a worker finish what it runs, then gives it nothing more */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkerView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/worker/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keeps a worker out of work, also after a restart */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkerView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/worker/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks a worker again which nodes and models it has; it is asked every few minutes anyway */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkerView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/worker/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a drained or paused worker back into work */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkerView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/workflow-tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All tags in their order, and how much each is used */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkflowTagUseView"];
                    };
                };
            };
        };
        put?: never;
        /** Adds a tag, as the last one of its parent */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewTagBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowTagCard"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/workflow-tag/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a tag that nobody has */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Gives a tag other names or another parent */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TagChangesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowTagCard"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/workflow-tag/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives another tag to everybody who has this one, which is gone then */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TagMergeBody"];
                };
            };
            responses: {
                /** @description The one that is left */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowTagCard"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/workflow-tag/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Puts the tags of one parent, or the roots, into another order */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TagOrderBody"];
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/youtube-community": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a video; title, channel and preview are asked of YouTube */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewVideoBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VideoView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/youtube-community/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a video out of the list */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Changes title or day of a video */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["VideoChangesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VideoView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/youtube-community/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks YouTube again for title, channel and preview, and whether it is still there */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VideoView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/youtube-community/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Community videos with those that YouTube gives to nobody any more */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description `{"author_name": "…"}`, as a JSON text: the videos of one channel. */
                    filter?: string;
                    /** @description Words that title or channel must contain; parts of words are enough. */
                    keyword?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description `newest` (the default) or `oldest`, by the day on which they came out. */
                    sort?: "newest" | "oldest" | "-youtubeCreatedAt" | "youtubeCreatedAt";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_VideoView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The person who is signed in
         * @description Sets the cookie XSRF-TOKEN, which belongs to the session, where the browser has another one; for guests too. A page
         *     that only asks who is there says `guest=null`: being a guest is then no error, but `null`.
         */
        get: {
            parameters: {
                query?: {
                    guest?: "null";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description `null` for a guest who asked with `guest=null` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"] | null;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login/email-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs somebody in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignInBody"];
                };
            };
            responses: {
                /** @description Sets the session cookie */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs the browser out; harmless when it is already */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes the caller's account
         * @description Name, address, keys, sessions, private pictures, uploads and workflows go, credits are forfeited. What was published
         *     stays, by "Deleted user".
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FarewellBody"];
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller in the support chat, signed */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChatView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is kept about the caller, as one JSON document
         * @description Profile, keys (without their secrets), sessions, credits, jobs, workflows with their graphs, pictures and uploads
         *     with their addresses. Six an hour.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A file to keep */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me/identity/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends it: the caller signs in there too from now on */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    provider: "google" | "discord";
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        /** Disconnects Google or Discord; harmless when it is not connected */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    provider: "google" | "discord";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me/identity/{provider}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins to connect the caller's account with Google or Discord; sets a cookie as signing in does */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    provider: "google" | "discord";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WayInView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me/language": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Sets the caller's language */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LanguageBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/auth/me/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Sets the caller's name */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NameBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/auth/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Sets another password, or the first one; ends all other sessions */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/auth/me/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Puts a picture beside the caller's name */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProfileBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/auth/me/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the caller is signed in, the last used first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_SessionView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Signs the caller out everywhere but here */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me/session/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Signs the caller out in one place */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's plan and what it allows */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlanView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a link to a new password; the answer is the same for addresses that nobody has */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ForgotBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets a new password by the code of a mail, ends all other sessions, and signs in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetBody"];
                };
            };
            responses: {
                /** @description Sets the session cookie */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signup/discord": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a sign-in with Discord; answers as with Google */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SocialBody"];
                };
            };
            responses: {
                /** @description Sets the session cookie */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
                /** @description The same, for somebody new */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signup/discord/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins a sign-in with Discord; sets a cookie that the same browser shows when it comes back */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WayInView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signup/email-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a user and signs them in
         * @description Where the installation sends mail, a known and a new address are answered alike, with 202: a new one gets a code, which
         *     is given to `/api/auth/signup/email-password/code`; the owner of a known one gets a mail that says so. Elsewhere the
         *     account is made at once, with 201, and a known address is refused with 409.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignUpBody"];
                };
            };
            responses: {
                /** @description Sets the session cookie */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
                /** @description A mail is on its way */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PendingSignUpView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signup/email-password/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finishes a sign-up with the code that was mailed
         * @description A sign-up takes five codes at most, for 30 minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignUpCodeBody"];
                };
            };
            responses: {
                /** @description Sets the session cookie */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signup/google": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a sign-in with Google
         * @description Somebody new has to agree to the terms: the answer is AUTH_TERMS_REQUIRED, and the same state works once more,
         *     without a code.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SocialBody"];
                };
            };
            responses: {
                /** @description Sets the session cookie */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
                /** @description The same, for somebody new */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/signup/google/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins a sign-in with Google; sets a cookie that the same browser shows when it comes back */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WayInView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirms an e-mail address by the code of its mail; nobody has to be signed in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CodeBody"];
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends the caller another mail to confirm their address; nothing where it is confirmed already */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's keys, without their secrets */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_ApiKeyView"];
                    };
                };
            };
        };
        put?: never;
        /** Makes a key; the answer is the only place where it is shown */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewApiKeyBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NewApiKeyView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/api-key/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes a key of the caller's */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/asset/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Takes back an upload of the caller's that nothing uses
         * @description It counts no longer among what the caller has stored. Pictures that are kept at hand are deleted as input assets.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/asset/file/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uploads a sound
         * @description MP3, M4A, FLAC, Ogg or WAV, as films are.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["AudioForm"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/asset/file/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uploads a picture
         * @description Everything that the file tells beside the picture is taken out of it: place, camera, times, comments. The same picture
         *     under the same name gives the same asset again. At most 20 MB unless the installation says otherwise. It is private.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["UploadForm"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/asset/file/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uploads a film
         * @description MP4, WebM, QuickTime or Matroska; what browsers do not play becomes MP4 or WebM. Everything that the file tells beside
         *     what it plays is taken out of it. At most 100 MB and 10 minutes unless the installation says otherwise. It is private.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["VideoForm"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/comment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Comments that a filter finds, by age
         * @description Filters may say `_id`, `user`, `workflow` or `outputAsset` (what stands directly below it), `parent` (its answers),
         *     `depth` and a range of `createdAt`. All but admins say where to look (`_id`, `workflow`, `outputAsset` or `parent`), or
         *     name themselves as `user`. Sorted by `createdAt`, either way. What is deleted is not among them.
         */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_CommentView"];
                    };
                };
            };
        };
        put?: never;
        /** Writes a comment or an answer */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCommentBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentView"];
                    };
                };
            };
        };
        /**
         * Deletes comments of the caller's, or below the caller's posts
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. What is gone already, or somebody else's, is passed
         *     over.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Gives comments of the caller's the same words
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. What is gone already, or somebody else's, is passed
         *     over; those that changed are given.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommentBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_CommentView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/comment-like/dislike/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Dislikes a comment, or takes the dislike back */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/comment-like/like/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Likes a comment, or takes the like back */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/comment/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One comment, as links lead to it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Deletes a comment of the caller's, or below the caller's post */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Changes the caller's comment */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommentBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/comment/child/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers to a comment, in the order in which they were written */
        get: {
            parameters: {
                query?: {
                    /** @description How many items, 1 to 100; 10 comments or 20 pictures when it is left out. */
                    limit?: number;
                    /** @description Counts from 1, which is the default. */
                    page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/comment/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many comments a filter finds, which says as much as in the list */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/comment/output-asset/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comments on a published picture, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description How many items, 1 to 100; 10 comments or 20 pictures when it is left out. */
                    limit?: number;
                    /** @description Counts from 1, which is the default. */
                    page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/comment/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many comments the caller wrote over time; for admins, everybody */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/comment/workflow/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comments on a workflow, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description How many items, 1 to 100; 10 comments or 20 pictures when it is left out. */
                    limit?: number;
                    /** @description Counts from 1, which is the default. */
                    page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/contact-point": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts these in the place of all contact points of the caller */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContactPointsBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: components["schemas"]["ContactPointView"];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's balance and grants */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreditView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/credit/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's statement, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_EntryView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to the caller's things, in order and without gaps
         * @description Reading on with each page's `nextCursor` gives every event exactly once: an event gets its place after it was committed,
         *     one behind the other, so that none can come in before a cursor. Events are kept for 30 days at least; a cursor before
         *     them is refused with `EVENTS_FORGOTTEN`.
         *
         *     `batch.finished` comes when all jobs of a batch have ended and nobody sends more of them; jobs that come later open it
         *     again, and it is told once more. `job.progress` comes at a quarter, a half and three quarters of an attempt, for those
         *     alone who have a webhook that asks for it; a quarter that is passed together with a later one is not told.
         *
         *     With `wait` an empty page waits for an event. With `Accept: text/event-stream` the answer is a stream: `begin`, and an
         *     `event` for each, whose SSE ids are cursors too, so that `Last-Event-ID` goes on where a connection broke off.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description `nextCursor` of the page before; `oldest`, which is the default, begins with what is kept longest, and `latest`
                     *     behind what is there now.
                     */
                    after?: string;
                    /** @description How many, 1 to 500; 100 when it is left out. */
                    limit?: number;
                    /** @description Only these types, parted by commas. */
                    types?: string;
                    /** @description Seconds to wait for the first event where there is none, 0 to 30. */
                    wait?: number;
                };
                header?: {
                    "Last-Event-ID"?: number | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FeedView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/input-asset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the caller keeps at hand, by a filter; for admins, what everybody keeps
         * @description Filters may say `_id`, `asset`, `isPrivate`, `kind`, a range of `createdAt`, and for admins `user`. Sorted by `createdAt`,
         *     either way.
         */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_InputAssetView"];
                    };
                };
            };
        };
        put?: never;
        /** Keeps an uploaded picture among the caller's inputs, and says who may see it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InputAssetBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InputAssetView"];
                    };
                };
            };
        };
        /**
         * Takes pictures from those that the caller keeps at hand
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. What is gone already, or somebody else's, is passed
         *     over.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Says who may see the pictures of inputs, of all of them or none
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InputPrivacyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_InputAssetView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/input-asset/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One picture that the caller keeps at hand */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InputAssetView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Takes a picture from those that the caller keeps at hand; it stays wherever it is used */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Says who may see the picture of an input */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InputPrivacyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InputAssetView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/input-asset/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many of what the caller keeps a filter finds; for admins, of what everybody keeps */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/input-asset/my": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The files that the caller keeps at hand, the latest kept first */
        get: {
            parameters: {
                query?: {
                    /** @description `Image`, `Video` or `Audio`: what is of this kind alone. */
                    kind?: "Image" | "Video" | "Audio";
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description Counts from 1, which is the default. */
                    page?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_InputAssetView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/input-asset/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many pictures the caller kept over time; for admins, everybody */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's jobs, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Only jobs of this batch. */
                    batch?: string;
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}, "createdAt": {"$gte": "…", "$lt": "…"}}`, as a JSON text; also `status`, `batch` and
                     *     `workflowApi`, in the place of the parameters of that name.
                     */
                    filter?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description Only jobs in one of these statuses, with commas between them. */
                    status?: string;
                    /** @description Only jobs that ran this mini app, whichever version of it. */
                    workflowApi?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_JobView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One job */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/{id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs a job of the caller's once more
         * @description The same prompt with the same files, or the same form with the seeds that were drawn; a mini app runs as it is today.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description At most 255 characters */
                    "Idempotency-Key"?: string | null;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubmittedView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/{id}/api-outputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a job made
         * @description Each item of `images`, `gifs`, `audio` and `files` is a `FileOutputView`; `text` is a list of texts.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NodeOutputsView"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels a job; harmless when repeated or too late */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CanceledView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follows a job as server-sent events
         * @description Events: `status` (as the call of that name), `queue`, `progress`, `preview` (`contentType`, `data` in Base64) and
         *     `outputs` (as the call `api-outputs`), in the job's order. The stream ends after the last status. Send the id of
         *     the last event seen as `Last-Event-ID` to get what was missed.
         */
        get: {
            parameters: {
                query?: never;
                header?: {
                    "Last-Event-ID"?: number | null;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a job is: its status, its place in the queue, its progress */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatusView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a job waits for, in one sentence, and what would release it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WhyView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's batches, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_BatchView"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Submits many jobs in one upload
         * @description The body has one item a line (newline-delimited JSON), each an `ItemBody` with an idempotency key of its own. The
         *     answer comes while the upload goes on: first `{"batch": id}`, then an `ItemView` for each item in the order of the
         *     upload, and last `{"batch", "accepted", "refused", "replayed", "complete": true}`. An answer without that last line
         *     was cut off: send the file again, and exactly the missing jobs are made. The `Idempotency-Key` names the batch; the
         *     same key goes on with the same batch. Items refused with RATE_LIMITED or UNAVAILABLE may be sent again later. A line
         *     may be as long as any other JSON body.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the batch; at most 255 characters */
                    "Idempotency-Key"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            /** @description An `ItemBody` a line */
            requestBody: {
                content: {
                    "application/x-ndjson": string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/x-ndjson": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/batch/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many jobs of a batch are in each status */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BatchStatusView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/batch/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels all jobs of a batch that wait or run; harmless when repeated
         * @description Nothing more is accepted into the batch. A large one is not all canceled when this answers: `active` tells what is
         *     left, and falls to 0 by itself.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BatchStatusView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many of the caller's jobs a filter finds */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs a prompt */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description At most 255 characters */
                    "Idempotency-Key"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PromptBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubmittedView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many jobs the caller submitted over time; for admins, everybody */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/job/workflow-api/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs a mini app
         * @description The body has a value for each API field; a seed of -1 asks for a fresh one, and the answer tells which was drawn.
         *     A field that is left out has its default. `null` is an emptied field: an empty text, or no value where the node does
         *     without one; elsewhere it is refused. A whole number may also be sent as a text of its digits.
         *     With an `Idempotency-Key` the same request gives the same job again.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description At most 255 characters */
                    "Idempotency-Key"?: string | null;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            /** @description API field name → value */
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubmittedView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Notifications of the caller's box that a filter finds, by age
         * @description Filters may say `_id`, `type`, `workflow`, `outputAsset`, `checkedAt` (`null` or `{"$exists": true}`) and a range of
         *     `createdAt`. Sorted by `createdAt`, either way.
         */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_NotificationView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Deletes notifications out of the caller's box
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. What is gone already, or in others' boxes, is passed
         *     over.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Notes that notifications were seen
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Those of others' boxes are passed over.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SeenBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CheckedView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/notification-box/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Notes that notifications were seen */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CheckBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CheckedView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/notification-box/check-all/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Notes that all notifications of a type were seen */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description A type, or ALL */
                    type: "ALL" | "COMMENT" | "LIKE" | "NOTICE" | "REQUESTS" | "OTHERS";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CheckedView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/notification-box/count-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Unread notifications, in all and of each type */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/notification-box/count-type": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Unread notifications of a type */
        get: {
            parameters: {
                query: {
                    /** @description Whether to tell the number of pages of the history too. */
                    pagination?: boolean;
                    /** @description A type, or `ALL`. */
                    type: "ALL" | "COMMENT" | "LIKE" | "NOTICE" | "REQUESTS" | "OTHERS";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TypeCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/notification-box/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * News about the box, as server-sent events
         * @description `count` with the number of unread notifications, first as it is now and then whenever it changes.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description text/event-stream */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/notification-box/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All notifications that there ever were, in pages */
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description How many to pass over. */
                    skip?: number;
                    sort?: -1 | 1;
                    /** @description `COMMENT`, `LIKE`, `NOTICE`, `REQUESTS`, `OTHERS`, or `ALL`, which is the default. */
                    type?: "ALL" | "COMMENT" | "LIKE" | "NOTICE" | "REQUESTS" | "OTHERS";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_NotificationView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/notification-box/list/{type}/{limit}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest notifications of a type
         * @description The specification leaves the two parts of the path open: they are the type (or ALL) and how many, 1 to 100.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    limit: number;
                    type: "ALL" | "COMMENT" | "LIKE" | "NOTICE" | "REQUESTS" | "OTHERS";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_NotificationView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/notification-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which types the caller is mailed about */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationSettingsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes which types the caller is mailed about */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SettingsBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationSettingsView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/notification/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One notification of the caller's box */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Deletes a notification out of the caller's box
         * @description A notice that everybody was told stays in the boxes of others. What was deleted is not told again.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Notes that a notification was seen */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SeenBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/notification/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many notifications of the caller's box a filter finds */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/notification/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many notifications came into the caller's box over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/object-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The node definitions of all pools, in ComfyUI's shape */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Class name → definition */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What people published, or certain outputs; admins also see what is not safe for work */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}}`, as a JSON text; what the asker may not see is missing in the answer. Also `user`, `job`,
                     *     `isPrivate`, `isNsfw`, `kind` (`Image`, `Video`, `Audio` or `File`), and a range of `createdAt`
                     *     (`{"$gte": "…", "$lt": "…"}`).
                     */
                    filter?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description What is not safe for work: `Hide` (the default for all but admins), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /**
                     * @description `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` goes up to 10,000; a
                     *     cursor goes on from everywhere.
                     */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                    /** @description `newest` (the default), `oldest`, `like` or `view`. */
                    sort?: "newest" | "oldest" | "like" | "view" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_OutputAssetView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Deletes the caller's outputs
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. What is gone already, or somebody else's, is passed
         *     over.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Publishes, hides or marks outputs, all of them or none
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FlagBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_OutputAssetView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/output-asset-like": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same, with the id in the body */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LikeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LikedView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset-like/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Likes a published output of somebody else's; asked again it changes nothing */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LikedView"];
                    };
                };
            };
        };
        /** Likes a published output of somebody else's, or takes the like back */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LikedView"];
                    };
                };
            };
        };
        /** Takes the like of an output back; asked again it changes nothing */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LikedView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One output: published, or the caller's own. Looking at somebody else's counts as a view, once a day
         * @description With `select=prompt name` the answer is the graph that made it, an `OutputGraphView`: to be seen by whoever sees the
         *     output, and of a mini app as long as its workflow is to be seen. That is no view.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `prompt name` gives id, name and graph. Without it, where it is empty, and with `-prompt`, everything but the graph is given. */
                    select?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FoundOutputView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Deletes an output of the caller's */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Publishes, hides or marks an output */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FlagBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OutputAssetView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/output-asset/{id}/nsfw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Says whether an output is safe for work; for admins */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NsfwBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OutputAssetView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/output-asset/{id}/origin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an output was made with: the mini app and its settings, or those of a raw prompt that people look for
         * @description A published output tells its settings, the typed texts among them, by default; its owner decides otherwise with
         *     `showsOrigin: false`. What others upload, and workflows that are not to be seen, are never told.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OriginView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/{id}/original": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The file as the worker made it, with the prompt and the graph that ComfyUI writes into it
         * @description For whoever owns both the output and what ran: a prompt of their own, or a mini app of their own workflow. All other
         *     addresses give the file without prompt and graph.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file, of its own type */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "*/*": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/{id}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keeps a picture among the caller's uploads, so that a form can take it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many outputs a filter finds among those that the caller may see */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/like": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The outputs that the caller likes, the latest like first. What was hidden or deleted since keeps its place, without
         *     addresses; what was deleted has a `viewCount` of -1
         */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description Whose; the caller's own when it is left out. Somebody else's are for admins. */
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_OutputAssetView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/my": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's own outputs, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_OutputAssetView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/privates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Publishes or hides the caller's outputs, all of them or none
         * @description A published output tells everybody what it was made with, the texts that were typed into the form among it, unless
         *     `showsOrigin` is `false`.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PrivatesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_OutputAssetView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/output-asset/published/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one person published */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description What is not safe for work: `Hide` (the default for what is others'), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /** @description `newest` (the default), `oldest`, `like` or `view`. */
                    sort?: "newest" | "oldest" | "like" | "view" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount";
                };
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_OutputAssetView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many outputs of the caller's were made over time; for admins, everybody's */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/unpublished/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one person keeps private; for themselves and admins */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description What is not safe for work: `Hide` (the default for what is others'), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /** @description `newest` (the default), `oldest`, `like` or `view`. */
                    sort?: "newest" | "oldest" | "like" | "view" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount";
                };
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_OutputAssetView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/output-asset/zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Several outputs as one ZIP file: pictures named by when they were made, all else as its worker called it. It is made while
         *     it is sent
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ZipBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": unknown;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reports something to the moderators
         * @description Everybody has one open report of a thing: another one takes its place. Nobody reports what is their own.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReportBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnReportView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People as others see them
         * @description All but admins name them: `{"_id": {"$in": ["…"]}}`, at most 500; who has left is missing. Admins may leave the ids
         *     out, and name a range of `createdAt`. Those who signed up last come first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_UserCard"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes the caller's own name, language or picture; the filter names the caller alone: `{"_id": "…"}` */
        patch: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UserChangesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/user-block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People whom the caller has blocked, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_BlockView"];
                    };
                };
            };
        };
        put?: never;
        /** Blocks somebody: they can no longer comment on the caller's posts nor answer the caller */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BlockBody"];
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/user-block/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a block back */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/user/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A person with their contact points, and counts of what they published */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes the caller's own name, language or picture, and those of no other user */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UserChangesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/user/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many of those who are named are here; for admins, how many people there are */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/user/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many people signed up over time, for admins */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/webhook-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's webhooks for all jobs of their account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WebhookConfigView"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Makes a webhook for all jobs of the caller's account
         * @description Messages are signed as Standard Webhooks has it, by the `secret` of this answer, which is not told again. Each is sent at
         *     least once, those of one job in their order, at most ten times over a day; 2xx is success, 410 disables the webhook, and
         *     `Retry-After` is kept.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookConfigView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/webhook-config/{configId}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Serves a webhook again that was disabled */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    configId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookConfigView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/webhook-config/{configId}/resend-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends all events of a webhook again that were given up, up to 10,000 */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    configId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResendBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookResentView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/webhook-config/{configId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Has another secret sign; the one before signs too for a day */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    configId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookSecretView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/webhook-config/{configId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a test event to a webhook of the caller's; at most 60 an hour */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    configId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookGroupView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/webhook-config/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The webhooks of a workflow API of the caller's; `id` is the workflow API's */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WebhookConfigView"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Makes a webhook for the caller's jobs of a workflow API of theirs; `id` is the workflow API's
         * @description As the webhooks of the account otherwise.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookConfigView"];
                    };
                };
            };
        };
        /** Deletes a webhook of the caller's, with its history; `id` is the webhook's */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Changes a webhook of the caller's; `id` is the webhook's */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookConfigView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/webhook-config/resend/workflowHistory/{historyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends the event of an attempt once more, unless it was sent ten times */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    historyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookGroupView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/webhook-event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The events that a webhook can be called for */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WebhookEventView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/webhook-history/{configId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was tried for a webhook of the caller's, the latest first */
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 100; 5 when it is left out. */
                    limit?: number;
                    /** @description Counts from 1, which is the default. */
                    page?: number;
                    /** @description Exactly this: a job, a `groupId`, an event by its id or its name, `Success`, `Failed`, or a status. */
                    search?: string;
                };
                header?: never;
                path: {
                    configId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookHistoryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Published workflows; by `_id` also the caller's own, and any for admins */
        get: {
            parameters: {
                query?: {
                    /** @description A tag of depth 1. */
                    childrenTag?: string;
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}}`, as a JSON text; what the asker may not see is missing in the answer. Also `user`,
                     *     `isPrivate`, `isNsfw`, `workflowTags` (ids), `workflowApi` (`{"$exists": true}`), and ranges of `createdAt` and
                     *     `publishedAt` (`{"$gte": "…", "$lt": "…"}`).
                     */
                    filter?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description What is not safe for work: `Hide` (the default), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /**
                     * @description `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` goes up to 10,000; a
                     *     cursor goes on from everywhere.
                     */
                    options?: string;
                    /** @description A tag of depth 0: what has any tag below it. */
                    parentTag?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                    /** @description Words that name, description or tags must have. */
                    q?: string;
                    /**
                     * @description `newest`, `oldest`, `like`, `view` or `publishedAt` (the default). Lists of a tag and searches have an order of
                     *     their own.
                     */
                    sort?: "newest" | "oldest" | "like" | "view" | "publishedAt" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount" | "-publishedAt";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        /** Creates a workflow */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewWorkflowBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowView"];
                    };
                };
            };
        };
        /**
         * Deletes workflows of the caller's
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. What is gone already, or somebody else's, is passed
         *     over.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Publishes, hides or marks workflows, all of them or none
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FlagBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkflowView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/workflow-api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mini apps that a filter finds among those that the caller may see, by age
         * @description Those of published workflows and the caller's own; for admins all. Filters may say `_id`, `workflow`, `user` (whose it
         *     is), `isPrivate` and `isNsfw` (of its workflow), and a range of `createdAt`; what is not safe for work is left out
         *     unless the filter says so or names something. Sorted by `createdAt`, either way. `inputs` and `outputs` are told to
         *     those who may change them; how an app fits the workers now is told of one, by its id.
         */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_ListedApiView"];
                    };
                };
            };
        };
        put?: never;
        /** Saves a workflow API; saving again makes a new version of it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SaveBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowApiView"];
                    };
                };
            };
        };
        /**
         * Deletes mini apps of the caller's; jobs that ran them stay
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. What is gone already, or somebody else's, is passed
         *     over.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Gives a mini app of the caller's other inputs or outputs: a new version of it
         * @description The filter names it: `{"_id": "…"}`. It names one, because inputs and outputs belong to one graph.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApiChangesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowApiView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/workflow-api-shared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mini apps that are shared with the caller, the latest shared first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_SharedApiView"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Shares a mini app of the caller's with whoever has this address, and tells them
         * @description They see its documentation and run it with their own key and credits, also where the workflow is private; they see
         *     neither the graph nor others' jobs. Taking the share back counts at once. At most 200 people for each app, and 60
         *     addresses an hour.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ShareBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ShareView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-api-shared/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a share back: of a mini app of the caller's, or one that was given to the caller */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-api-shared/{workflowApiId}/shared-users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whom a mini app of the caller's is shared with, the latest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workflowApiId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_ShareView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-api/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One mini app with its form: of a published workflow, the caller's own, or shared with them */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowApiView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Deletes a mini app of the caller's; jobs that ran it stay */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Gives a mini app of the caller's other inputs or outputs: a new version of it
         * @description What is left out stays as it is.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApiChangesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowApiView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/workflow-api/{id}/openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The description (OpenAPI 3.1) of exactly this mini app's API: its body, and the calls that follow a run
         * @description For whoever may run it. Programs that make clients take it as it is.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description An OpenAPI document */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-api/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many mini apps a filter finds among those that the caller may see */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-api/editor/{workflowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What can be chosen from the caller's workflow, what is proposed, and what is saved */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workflowId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EditorView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-api/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The form that a save would give; nothing is written */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SaveBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PreviewView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many mini apps the caller made over time; for admins, everybody */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-like": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Likes a workflow, or takes the like back */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkflowLikeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LikeView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-like/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Likes a workflow; asked again it changes nothing */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LikeView"];
                    };
                };
            };
        };
        /** Likes a workflow, or takes the like back */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LikeView"];
                    };
                };
            };
        };
        /** Takes the like of a workflow back; asked again it changes nothing */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LikeView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All tags, with their parents and children, in the order of the admins */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowTagView"];
                    };
                };
            };
        };
        put?: never;
        /** Adds a tag, as the last one of its parent (operators only) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewTagBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowTagCard"];
                    };
                };
            };
        };
        /**
         * Deletes tags that no workflow has, all of them or none (operators only)
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`. What is gone already is passed over.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeletedView"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Gives tags other names or another parent, all of them or none (operators only)
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TagChangesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkflowTagCard"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/workflow-tag/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One tag, with its parent and its children */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowTagView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Deletes a tag that nobody has (operators only) */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Gives a tag other names or another parent (operators only) */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TagChangesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowTagCard"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/workflow-tag/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many tags a filter finds */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow-tag/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many tags were made over time, for admins */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One workflow: published, or the caller's own
         * @description With `select=prompt name` the answer is a `WorkflowGraphView` instead. Without, the view is counted: once a day for
         *     each person.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `prompt name` gives id, name and graph. Without it, where it is empty, and with `-prompt`, everything but the graph is given. */
                    select?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FoundWorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Deletes a workflow of the caller's; what ran it stays */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Changes a workflow of the caller's */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/workflow/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The graph of a workflow as a file: published, or the caller's own */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/{id}/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Counts that a workflow was opened to be run, also a private one */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        trace?: never;
    };
    "/api/general/workflow/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All workflows of all people, for admins */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description `{"isPrivate": false}`, `{"isNsfw": true}`, both or neither, as a JSON text; or whatever else lists are filtered by. */
                    filter?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description What their names have in them, whatever its case: the latest 500 of those. */
                    q?: string;
                    /**
                     * @description `newest` (the default), `oldest`, `like`, `view` or `publishedAt`; also as `-_id`, `_id`, `-likeCount`,
                     *     `-viewCount`, `-publishedAt`.
                     */
                    sort?: "newest" | "oldest" | "like" | "view" | "publishedAt" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount" | "-publishedAt";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes the caller a private copy of a workflow */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CopyBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowView"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many workflows a filter finds among those that the caller may see */
        get: {
            parameters: {
                query?: {
                    /** @description As in the list: `{"user": "…", "isPrivate": false}`, as a JSON text. */
                    filter?: string;
                    /** @description What is not safe for work: `Hide` (the default), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/like": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Favourites: the workflows that somebody likes, the latest like first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description Somebody else, for admins; the caller when it is left out. */
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/my": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's workflows, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/privates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Publishes or hides workflows of the caller's, all of them or none */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkflowPrivatesBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_WorkflowView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/general/workflow/published/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What somebody published, the latest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many workflows the caller made over time; for admins, everybody's */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/unpublished/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What somebody keeps to themselves, newest first; for them and for admins */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the node can take jobs */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HealthView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process answers
         * @description It always does, whatever it needs is away: who gets no answer starts the process again, which would mend nothing else.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LiveView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/announcement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What visitors are told now, and which workflows do not work for the time being */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnnouncementsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/comfy-model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Model files that the workers have */
        get: {
            parameters: {
                query?: {
                    /** @description `checkpoints`, `loras`, `vae`, …; all of them when left out. */
                    folder?: string;
                    /** @description `name`: the only field there is. */
                    select?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Items_ComfyModelView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/comment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comments that a filter finds, by age, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_CommentView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/comment/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One comment, as links lead to it, for anyone */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/comment/child/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers to a comment, in the order in which they were written, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description How many items, 1 to 100; 10 comments or 20 pictures when it is left out. */
                    limit?: number;
                    /** @description Counts from 1, which is the default. */
                    page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/comment/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many comments a filter finds, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/comment/output-asset/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comments on a published picture, newest first, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description How many items, 1 to 100; 10 comments or 20 pictures when it is left out. */
                    limit?: number;
                    /** @description Counts from 1, which is the default. */
                    page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/comment/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many comments were written over time that are neither deleted nor hidden */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/comment/workflow/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comments on a workflow, newest first, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description How many items, 1 to 100; 10 comments or 20 pictures when it is left out. */
                    limit?: number;
                    /** @description Counts from 1, which is the default. */
                    page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommentsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/mini-app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Published mini apps as cards */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description Only apps that make this: `image`, `video`, `audio`, `text` or `file`. */
                    makes?: "image" | "video" | "audio" | "text" | "file";
                    /** @description `newest` (the default), `oldest`, `like` or `view`. */
                    sort?: "newest" | "oldest" | "like" | "view" | "publishedAt" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount" | "-publishedAt";
                    /** @description Only apps that take this: `image`, `video`, `audio`, or `text` for words that are drawn. */
                    takes?: "image" | "video" | "audio" | "text";
                    /** @description Only apps that some worker can run as things are, or with `false` those that none can. */
                    works?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/mini-app/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mini apps that fit a wish, and why: those that draw what is described, and those that have its words
         * @description Only apps that some worker can run now stand among the fitting ones; `waiting` are apps that would draw what is
         *     described if a worker had what they need, and `drawingPools` names the pools whose workers could.
         */
        get: {
            parameters: {
                query: {
                    /** @description In their own words, at most 500 characters. */
                    text: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SuggestionsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/oembed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page for a link preview */
        get: {
            parameters: {
                query: {
                    /** @description `json`: the only one there is. */
                    format?: "json";
                    maxheight?: number;
                    maxwidth?: number;
                    /** @description The address of a published picture, workflow or mini app here. */
                    url: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OembedView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/operator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who runs this installation, and what its terms of use and its privacy policy depend on */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/output-asset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What people published, or certain outputs */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}}`, as a JSON text; what the asker may not see is missing in the answer. Also `user`, `job`,
                     *     `isPrivate`, `isNsfw`, `kind` (`Image`, `Video`, `Audio` or `File`), and a range of `createdAt`
                     *     (`{"$gte": "…", "$lt": "…"}`).
                     */
                    filter?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description What is not safe for work: `Hide` (the default for all but admins), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /**
                     * @description `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` goes up to 10,000; a
                     *     cursor goes on from everywhere.
                     */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                    /** @description `newest` (the default), `oldest`, `like` or `view`. */
                    sort?: "newest" | "oldest" | "like" | "view" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_OutputAssetView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/output-asset/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One output, for anyone who may see it
         * @description With `select=prompt name` the answer is an `OutputGraphView`, as in the general call.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `prompt name` gives id, name and graph. Without it, where it is empty, and with `-prompt`, everything but the graph is given. */
                    select?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FoundOutputView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/output-asset/{id}/origin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a published output was made with */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OriginView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/output-asset/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many outputs a filter finds; admins count what everybody may see here */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/output-asset/published/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one person published, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description What is not safe for work: `Hide` (the default for what is others'), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /** @description `newest` (the default), `oldest`, `like` or `view`. */
                    sort?: "newest" | "oldest" | "like" | "view" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount";
                };
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_OutputAssetView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/output-asset/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many of the outputs that everybody can see were made over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Workflows, pictures and people that a text means, as far as everybody may see them and safe for work */
        get: {
            parameters: {
                query: {
                    /** @description How many of each, 1 to 24; 5 when it is left out. */
                    limit?: number;
                    /** @description At most 100 characters; typing errors are forgiven. */
                    q: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FoundView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/sign-in-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ways to sign in that this installation offers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInOptionsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the letters about notifications by the code of one; nobody has to be signed in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CodeBody"];
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/unsubscribe/one-click": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Leads people whose mail program opens that address to the page of it
         * @description Opening an address changes nothing: programs that look for viruses do so too.
         */
        get: {
            parameters: {
                query: {
                    code: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description To the page */
                303: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        /** Ends the letters about notifications, for mail programs (RFC 8058) */
        post: {
            parameters: {
                query: {
                    code: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People as others see them, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_UserCard"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/user/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A person with their contact points, and counts of what they published */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/user/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many of those who are named are here, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/user/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many people signed up over time and are here still */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Published workflows
         * @description The newest published first, unless a tag, a search or an order is asked for. Descriptions are cut short.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A tag of depth 1. */
                    childrenTag?: string;
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}}`, as a JSON text; what the asker may not see is missing in the answer. Also `user`,
                     *     `isPrivate`, `isNsfw`, `workflowTags` (ids), `workflowApi` (`{"$exists": true}`), and ranges of `createdAt` and
                     *     `publishedAt` (`{"$gte": "…", "$lt": "…"}`).
                     */
                    filter?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description What is not safe for work: `Hide` (the default), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /**
                     * @description `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` goes up to 10,000; a
                     *     cursor goes on from everywhere.
                     */
                    options?: string;
                    /** @description A tag of depth 0: what has any tag below it. */
                    parentTag?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                    /** @description Words that name, description or tags must have. */
                    q?: string;
                    /**
                     * @description `newest`, `oldest`, `like`, `view` or `publishedAt` (the default). Lists of a tag and searches have an order of
                     *     their own.
                     */
                    sort?: "newest" | "oldest" | "like" | "view" | "publishedAt" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount" | "-publishedAt";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow-api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mini apps that a filter finds among those that everybody may see, by age */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_ListedApiView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow-api/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One published mini app with its form */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowApiView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow-api/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many mini apps a filter finds among those that everybody may see */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow-api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many of the mini apps that everybody can see were made over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow-tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All tags, with their parents and children, in the order of the admins
         * @description Filters may say `_id`, `depth` and `parentTag` (an id, or `null`). Sorted by `createdAt`, either way, where `options`
         *     ask for it. All of them come at once, unless a `limit` is set.
         */
        get: {
            parameters: {
                query?: {
                    /** @description What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to be filled in, as a JSON text. All of them always are; other names are refused. */
                    populate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowTagView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow-tag/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One tag, with its parent and its children */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkflowTagView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow-tag/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many tags a filter finds */
        get: {
            parameters: {
                query?: {
                    /** @description What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`. */
                    filter?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow-tag/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many tags were made over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One published workflow */
        get: {
            parameters: {
                query?: {
                    /** @description `prompt name` gives id, name and graph. Without it, where it is empty, and with `-prompt`, everything but the graph is given. */
                    select?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FoundWorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The graph of a published workflow as a file
         * @description What the editor draws, where there is that, else what a worker runs. The file has the workflow's name.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow/{id}/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Counts that a workflow was opened to be run; once a day for each person */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        trace?: never;
    };
    "/api/public/workflow/basic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Basic workflows, which admins chose to begin with */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many workflows a filter finds among those that everybody may see */
        get: {
            parameters: {
                query?: {
                    /** @description As in the list: `{"user": "…", "isPrivate": false}`, as a JSON text. */
                    filter?: string;
                    /** @description What is not safe for work: `Hide` (the default), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResourceCountView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow/published/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What somebody published, the latest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_WorkflowView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/workflow/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many of the workflows that everybody can see were made over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, which counts too. Today when it is left out.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
                     * @example 2026-01-01
                     */
                    startDate?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StatsView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/youtube-community/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Community videos, picked by admins */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description `{"author_name": "…"}`, as a JSON text: the videos of one channel. */
                    filter?: string;
                    /** @description Words that title or channel must contain; parts of words are enough. */
                    keyword?: string;
                    /** @description How many items, 1 to 100; 20 when it is left out. */
                    limit?: number;
                    /** @description `newest` (the default) or `oldest`, by the day on which they came out. */
                    sort?: "newest" | "oldest" | "-youtubeCreatedAt" | "youtubeCreatedAt";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cursor_VideoView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether requests should be sent to the node
         * @description For load balancers. A node that is about to stop says so first, and answers requests for a while yet.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReadyView"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Who did something. */
        ActorView: components["schemas"]["UserCard"] & {
            /** @description Operators are shown with the product's icon. */
            roles: string[];
        };
        /** @description One device of a machine. */
        AgentGpuView: {
            name: string;
            /** Format: int64 */
            vramBytes: number;
        };
        /** @description One model file of a machine. */
        AgentModelView: {
            /** @description Its place below the folder of models. */
            name: string;
            /** Format: int64 */
            sizeBytes: number;
        };
        /** @description What lets agents in. */
        AgentTokenView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When an agent connected with it last.
             */
            lastUsedAt?: string | null;
            name: string;
            /** @description The pools that its agents may join. */
            pools: string[];
            /** @description The first characters of the token. */
            prefix: string;
            /**
             * Format: int64
             * @description Agents of it whose workers were removed, and that it does not let in.
             */
            removedAgents: number;
            /** Format: date-time */
            revokedAt?: string | null;
        };
        /** @description The agent of a worker, and what its machine has. */
        AgentView: {
            agentVersion: string;
            comfyuiVersion?: string | null;
            /**
             * Format: date-time
             * @description When it connected last.
             */
            connectedAt: string;
            driver?: string | null;
            gpus: components["schemas"]["AgentGpuView"][];
            /** @description Left out in lists. */
            models: components["schemas"]["AgentModelView"][];
            name: string;
            /**
             * Format: uuid
             * @description The node that it is connected to; none while it is away.
             */
            node?: string | null;
            /** @description What is with its server, in its words. */
            note?: string | null;
            os?: string | null;
            /** @description The name of the token that let it in. */
            token: string;
            /**
             * Format: uuid
             * @description The worker's id.
             */
            worker: string;
        };
        /** @description What visitors are told now. */
        AnnouncementsView: {
            galleryPause?: components["schemas"]["BilingualView"] | null;
            /** @description Newest first. */
            items: components["schemas"]["AnnouncementView"][];
            requestPause?: components["schemas"]["BilingualView"] | null;
            workflowAlert: components["schemas"]["WorkflowAlertView"];
        };
        /** @description One piece of news. */
        AnnouncementView: {
            _id: string;
            /** Format: date-time */
            from: string;
            /** @description Whether it opens by itself for whoever has not seen it. */
            opens: boolean;
            /** @description Plain text; an empty line begins a new paragraph. */
            text: components["schemas"]["BilingualView"];
            title: components["schemas"]["BilingualView"];
        };
        /** @description What of a workflow API shall change. */
        ApiChangesBody: {
            /** @description As for a save; all of them, in the place of those that are there. */
            inputs?: Record<string, never> | null;
            /** @description As for a save; all of them, in the place of those that are there. */
            outputs?: Record<string, never> | null;
        };
        /** @description An API key without its secret. */
        ApiKeyView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt?: string | null;
            name: string;
            /** @description How the key begins, to recognise it by. */
            prefix: string;
            /** Format: date-time */
            revokedAt?: string | null;
        };
        /** @description Whether the app still fits its workflow and the workers. */
        AppHealthView: {
            ok: boolean;
            problems: unknown[];
        };
        /** @description A stored file of somebody's. */
        AssetView: {
            /** Format: uuid */
            _id: string;
            /** @description What addresses begin with; empty for addresses of this site. */
            baseUrl: string;
            /** @description A few bytes, in Base64, that draw a blurred placeholder. */
            blurHash?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: int32 */
            height?: number | null;
            /** @description Content hash and extension: the last part of every address of the file. */
            key: string;
            /** @description `Image`, `Video`, `Audio` or `File`. */
            kind: string;
            metadata: components["schemas"]["MetadataView"];
            name: string;
            /** @description The quality that pages should show. */
            optimal: string;
            /** @description The folder of the media addresses. */
            prefix: string;
            /** Format: int64 */
            sizeBytes: number;
            /** @description 200 pixels wide. */
            thumbnailUrl: string;
            /** @description The file as it is. */
            url: string;
            /** @description The key of the small WebP picture. */
            webpKey: string;
            /** Format: int32 */
            width?: number | null;
        };
        /** @description A sound and what to call it. */
        AudioForm: {
            /**
             * Format: binary
             * @description The file.
             */
            audio: string;
            /** @description `{"name": "…", "kind": "Audio"}` */
            json?: string | null;
        };
        /** @enum {string} */
        AuditAction: "workflow.update" | "workflow.delete" | "mini-app.save" | "mini-app.delete" | "mini-app.share" | "mini-app.unshare" | "picture.update" | "picture.delete" | "upload.update" | "comment.delete" | "case.keep" | "case.hide" | "case.delete" | "case.restore" | "user.warn" | "user.ban" | "user.unban" | "user.role" | "user.confirm" | "credit.grant" | "notice.publish" | "notice.delete" | "job.cancel" | "batch.cancel" | "video.add" | "video.update" | "video.refresh" | "video.remove" | "tag.create" | "tag.update" | "tag.order" | "tag.merge" | "tag.delete" | "basics.order" | "worker.add" | "worker.change" | "agent-token.create" | "agent-token.revoke" | "agent-token.allow" | "upkeep.run";
        /** @description Something that an admin did. */
        AuditEntryView: {
            /** Format: uuid */
            _id: string;
            action: components["schemas"]["AuditAction"];
            /** @description The address of the network that the admin acted from. */
            address?: string | null;
            admin?: components["schemas"]["UserCard"] | null;
            /** @description What of it is otherwise since; `null` where nothing is left. */
            after: unknown;
            /** @description What of it was otherwise before; `null` where there was nothing. */
            before: unknown;
            /** Format: date-time */
            createdAt: string;
            person?: components["schemas"]["UserCard"] | null;
            requestId?: string | null;
            /**
             * Format: uuid
             * @description The thing that it was done to.
             */
            target: string;
        };
        /** @description What a person has, in credits. */
        BalanceView: {
            /**
             * Format: int64
             * @description Free for the next job.
             */
            available: number;
            /**
             * Format: int64
             * @description Held by jobs that have not ended.
             */
            held: number;
        };
        /** @description A ban to be. */
        BanBody: {
            /**
             * Format: int32
             * @description 1, 7 or 30; for good when it is left out.
             */
            days?: number | null;
            /** @description What the person is told, 1 to 1000 characters. */
            reason: string;
        };
        /** @description A ban: whoever has one reads on and takes part in nothing. */
        BanView: {
            /** @description What the person was told. */
            reason: string;
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description `null` for good.
             */
            until?: string | null;
        };
        /** @description An order of the basic workflows. */
        BasicsOrderBody: {
            /** @description Each basic workflow, once. */
            ids: string[];
        };
        /** @description How far a batch is. */
        BatchStatusView: components["schemas"]["BatchView"] & {
            /**
             * Format: int64
             * @description Jobs that wait or run.
             */
            active: number;
            /** Format: date-time */
            firstStartedAt?: string | null;
            /** Format: date-time */
            lastEndedAt?: string | null;
            /** @description Status → number of jobs; statuses without any are left out. */
            statuses: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description All of its jobs.
             */
            total: number;
        };
        /** @description Jobs that were sent in one file. */
        BatchView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: date-time
             * @description Since when it is being canceled; nothing more is accepted into it.
             */
            cancelRequestedAt?: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When all of its jobs had ended and nobody was sending more. Jobs that come later open it again, and this is null
             *     until they have ended too.
             */
            finishedAt?: string | null;
            /** @description The `Idempotency-Key` of its upload. */
            key?: string | null;
        };
        /** @description A text in both languages. */
        BilingualView: {
            en: string;
            ko: string;
        };
        /** @description Whom to block. */
        BlockBody: {
            /** Format: uuid */
            user: string;
        };
        /** @description Somebody who is blocked. */
        BlockView: {
            /** Format: date-time */
            createdAt: string;
            user: components["schemas"]["UserCard"];
        };
        /** @description What something is in other languages. Who reads in one that is missing reads it as it was written. */
        ByLanguageView_SettingWordsView: {
            /** @description A setting's words in one language; what is missing is read as it was written. */
            en?: {
                label?: string | null;
                title?: string | null;
            };
            /** @description A setting's words in one language; what is missing is read as it was written. */
            ko?: {
                label?: string | null;
                title?: string | null;
            };
        };
        /** @description What something is in other languages. Who reads in one that is missing reads it as it was written. */
        ByLanguageView_TranslationView: {
            /** @description Name and description in one language; what is missing is read as it was written. */
            en?: {
                /** @description HTML; what is not allowed is taken out. */
                description?: string | null;
                /** @description 1 to 100 characters. */
                name?: string | null;
            };
            /** @description Name and description in one language; what is missing is read as it was written. */
            ko?: {
                /** @description HTML; what is not allowed is taken out. */
                description?: string | null;
                /** @description 1 to 100 characters. */
                name?: string | null;
            };
        };
        /** @description Id and status alone. */
        CanceledView: {
            /** Format: uuid */
            _id: string;
            status: string;
        };
        /** @description A case with all that a moderator needs to decide it. */
        CaseDetailView: components["schemas"]["CaseView"] & {
            authorBan?: components["schemas"]["BanView"] | null;
            /** @description What was decided about its author so far, newest first. */
            history: components["schemas"]["DecisionView"][];
            now?: components["schemas"]["SnapshotView"] | null;
            /**
             * Format: uuid
             * @description The output that a comment stands below.
             */
            outputAsset?: string | null;
            /** @description Newest first, at most 100. */
            reports: components["schemas"]["ReportView"][];
            /**
             * Format: uuid
             * @description The workflow that a comment stands below.
             */
            workflow?: string | null;
        };
        /** @enum {string} */
        CaseState: "Open" | "Kept" | "Hidden" | "Deleted";
        /** @enum {string} */
        CaseVerdict: "Keep" | "Hide" | "Delete" | "Restore";
        /** @description All reports of one thing, and what became of them. */
        CaseView: {
            /** Format: uuid */
            _id: string;
            /** Format: int64 */
            allReports: number;
            author?: components["schemas"]["UserCard"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            decidedAt?: string | null;
            decidedBy?: components["schemas"]["UserCard"] | null;
            kind: components["schemas"]["ReportKind"];
            /**
             * Format: int64
             * @description Reports that were not answered yet.
             */
            openReports: number;
            /** Format: date-time */
            reportedAt: string;
            /**
             * Format: int32
             * @description Counts every change of the case; a decision names the one that was looked at.
             */
            revision: number;
            /** @description As the last report had it. */
            seen: components["schemas"]["SnapshotView"];
            state: components["schemas"]["CaseState"];
            /**
             * Format: uuid
             * @description The thing.
             */
            target: string;
        };
        /** @description What shall change; what is left out stays. */
        ChangesBody: {
            /**
             * Format: uuid
             * @description An asset of the caller's; `null` takes the cover away.
             */
            cover?: string | null;
            description?: string | null;
            /** @description Whether it is among the basic workflows; for admins alone. */
            isBasic?: boolean | null;
            /** @description For admins alone. */
            isNsfw?: boolean | null;
            isPrivate?: boolean | null;
            name?: string | null;
            prompt?: components["schemas"]["GraphBody"] | null;
            /** @description The gallery in its order: 1 to 16 assets of the caller's. */
            thumbnails?: string[] | null;
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            /** @description Tags in their order: 1 to 5. */
            workflowTags?: string[] | null;
        };
        /** @description A person in the chat. */
        ChatMemberView: {
            /** @description HMAC-SHA256 of the id, in hexadecimal: it shows the chat that we know the person. */
            memberHash: string;
            memberId: string;
            pluginKey: string;
            scriptUrl: string;
        };
        /** @description The chat that this installation offers. */
        ChatView: {
            member?: components["schemas"]["ChatMemberView"] | null;
        };
        /** @description Notifications that were seen. */
        CheckBody: {
            ids: components["schemas"]["CheckedId"][];
        };
        /** @description One of them. */
        CheckedId: {
            /** Format: uuid */
            id: string;
            type?: components["schemas"]["NotificationKindOrAll"] | null;
        };
        /** @description How many were unread until now. */
        CheckedView: {
            /** Format: int64 */
            checkedCount: number;
        };
        /** @description The code of a link in a mail. */
        CodeBody: {
            code: string;
        };
        /** @description A model file that workers have. */
        ComfyModelView: {
            _id: string;
            name: string;
        };
        /** @description New words of a comment. */
        CommentBody: {
            /** @description HTML of at most 580 characters of text. */
            content: string;
        };
        /** @description A numbered page of comments. */
        CommentsView: {
            /**
             * Format: int64
             * @description Comments (or answers) that are not deleted.
             */
            commentCount: number;
            /** @description Fewer than `limit` where some were deleted; the next page may have more. */
            items: components["schemas"]["CommentView"][];
            /** @description Pages are counted with the places of deleted comments. */
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A comment, or an answer to one. */
        CommentView: {
            /** Format: uuid */
            _id: string;
            /** @description Sanitised HTML; empty once it is deleted, and for all but admins once a moderator has hidden it. */
            content: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: int32
             * @description 0 for a comment, 1 for an answer.
             */
            depth: number;
            /** Format: int64 */
            dislikeCount: number;
            /** Format: date-time */
            editedAt?: string | null;
            /** @description Whether a moderator has hidden it: a placeholder stands in its place. */
            isHidden: boolean;
            /** @description What the asker thinks: `true` liked, `false` disliked, `null` neither. */
            isLike?: boolean | null;
            /** Format: int64 */
            likeCount: number;
            /** Format: uuid */
            outputAsset?: string | null;
            /**
             * Format: uuid
             * @description The comment that this answers.
             */
            parent?: string | null;
            /** Format: int64 */
            replyCount: number;
            user?: components["schemas"]["ActorView"] | null;
            /** Format: uuid */
            workflow?: string | null;
        };
        /** @description A way to reach somebody. */
        ContactPointBody: {
            /**
             * Format: int32
             * @description Where it stands among the others; lower ones come first.
             */
            order: number;
            /** @description Empty takes it away. */
            value: string;
        };
        /** @description The ways to reach somebody, by kind. */
        ContactPointsBody: {
            email?: components["schemas"]["ContactPointBody"] | null;
            homepage?: components["schemas"]["ContactPointBody"] | null;
            instagram?: components["schemas"]["ContactPointBody"] | null;
        };
        /** @description A way to reach somebody. */
        ContactPointView: {
            /** @description Its place, from 0. */
            order: number;
            value: string;
        };
        /** @description A workflow to copy. */
        CopyBody: {
            /** @description `Copy of …` when left out or empty. */
            name?: string | null;
            /** Format: uuid */
            workflow: string;
        };
        /** @description Unread notifications; 1000 stands for that many or more. */
        CountView: {
            /** @description The same for each type. */
            byType: {
                [key: string]: number;
            };
            /** Format: int64 */
            count: number;
        };
        /** @description Balance and grants. */
        CreditView: components["schemas"]["BalanceView"] & {
            /** @description In the order in which they will be spent. */
            grants: components["schemas"]["GrantView"][];
        };
        /** @description A page of a list that goes on. */
        Cursor_AuditEntryView: {
            items: {
                /** Format: uuid */
                _id: string;
                action: components["schemas"]["AuditAction"];
                /** @description The address of the network that the admin acted from. */
                address?: string | null;
                admin?: components["schemas"]["UserCard"] | null;
                /** @description What of it is otherwise since; `null` where nothing is left. */
                after: unknown;
                /** @description What of it was otherwise before; `null` where there was nothing. */
                before: unknown;
                /** Format: date-time */
                createdAt: string;
                person?: components["schemas"]["UserCard"] | null;
                requestId?: string | null;
                /**
                 * Format: uuid
                 * @description The thing that it was done to.
                 */
                target: string;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_BatchView: {
            items: {
                /** Format: uuid */
                _id: string;
                /**
                 * Format: date-time
                 * @description Since when it is being canceled; nothing more is accepted into it.
                 */
                cancelRequestedAt?: string | null;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When all of its jobs had ended and nobody was sending more. Jobs that come later open it again, and this is null
                 *     until they have ended too.
                 */
                finishedAt?: string | null;
                /** @description The `Idempotency-Key` of its upload. */
                key?: string | null;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_CaseView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: int64 */
                allReports: number;
                author?: components["schemas"]["UserCard"] | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                decidedAt?: string | null;
                decidedBy?: components["schemas"]["UserCard"] | null;
                kind: components["schemas"]["ReportKind"];
                /**
                 * Format: int64
                 * @description Reports that were not answered yet.
                 */
                openReports: number;
                /** Format: date-time */
                reportedAt: string;
                /**
                 * Format: int32
                 * @description Counts every change of the case; a decision names the one that was looked at.
                 */
                revision: number;
                /** @description As the last report had it. */
                seen: components["schemas"]["SnapshotView"];
                state: components["schemas"]["CaseState"];
                /**
                 * Format: uuid
                 * @description The thing.
                 */
                target: string;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_CommentView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description Sanitised HTML; empty once it is deleted, and for all but admins once a moderator has hidden it. */
                content: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: int32
                 * @description 0 for a comment, 1 for an answer.
                 */
                depth: number;
                /** Format: int64 */
                dislikeCount: number;
                /** Format: date-time */
                editedAt?: string | null;
                /** @description Whether a moderator has hidden it: a placeholder stands in its place. */
                isHidden: boolean;
                /** @description What the asker thinks: `true` liked, `false` disliked, `null` neither. */
                isLike?: boolean | null;
                /** Format: int64 */
                likeCount: number;
                /** Format: uuid */
                outputAsset?: string | null;
                /**
                 * Format: uuid
                 * @description The comment that this answers.
                 */
                parent?: string | null;
                /** Format: int64 */
                replyCount: number;
                user?: components["schemas"]["ActorView"] | null;
                /** Format: uuid */
                workflow?: string | null;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_EntryView: {
            items: {
                /** Format: uuid */
                _id: string;
                /**
                 * Format: int64
                 * @description Always positive; the kind gives the direction.
                 */
                amount: number;
                /**
                 * Format: int64
                 * @description What was available after it.
                 */
                balanceAfter: number;
                /** Format: date-time */
                createdAt: string;
                /** Format: uuid */
                grant: string;
                /** Format: uuid */
                job?: string | null;
                /** @description `Grant`, `Hold`, `Capture`, `Release` or `Expire`. */
                kind: string;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_InputAssetView: {
            items: {
                /** Format: uuid */
                _id: string;
                asset: components["schemas"]["AssetView"];
                /** Format: date-time */
                createdAt: string;
                isPrivate: boolean;
                /**
                 * Format: uuid
                 * @description Its owner.
                 */
                user: string;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_JobView: {
            items: {
                /** Format: uuid */
                _id: string;
                /**
                 * Format: int32
                 * @description How often a worker was chosen for it; 0 while none was.
                 */
                attempt: number;
                /**
                 * Format: uuid
                 * @description The batch that it was sent in.
                 */
                batch?: string | null;
                /** Format: date-time */
                createdAt: string;
                credits: components["schemas"]["JobCredits"];
                /** Format: int64 */
                durationMs?: number | null;
                /** Format: date-time */
                endedAt?: string | null;
                executeException?: unknown;
                /** @description The values that the form was sent with. */
                form?: unknown;
                /** @description `interactive`, `api` or `training`. */
                lane: string;
                /** @description ComfyUI's `node_errors` of outputs that were left out because they cannot be made. */
                nodeErrors?: unknown;
                pool: string;
                /**
                 * @description Of one job that has ended, asked for by its id: what its nodes gave, as ComfyUI's history has it (node id → output type →
                 *     `filename`, `subfolder` and `type` of each file, or texts), with the `url` of each file. Else `null`. `api-outputs` says more.
                 */
                promptResult?: unknown;
                result?: components["schemas"]["JobResult"] | null;
                seeds: Record<string, never>;
                /** Format: date-time */
                startedAt?: string | null;
                status: string;
                /**
                 * @description What it made and could not deliver. A job of which anything was delivered is `Done` all the same; one of which
                 *     nothing can be delivered ends as `WorkerExceptionError` and costs nothing.
                 */
                undelivered: components["schemas"]["UndeliveredView"][];
                validateException?: unknown;
                workflow?: components["schemas"]["WorkflowCard"] | null;
                /** Format: uuid */
                workflowApi?: string | null;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_ListedApiView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: uuid
                 * @description The same once more, as the specification has it.
                 */
                id: string;
                /** @description Keyed `id.name`; for its owner and admins. */
                inputs?: unknown;
                /** @description Keyed by node id; for its owner and admins. */
                outputs?: unknown;
                /** @description The form, made by the server. */
                rjsf: components["schemas"]["FormView"];
                /** Format: date-time */
                updatedAt: string;
                workflow: components["schemas"]["WorkflowCard"];
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_NoticeView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description Sanitised HTML. */
                contentEn: string;
                contentKo: string;
                /** Format: date-time */
                createdAt: string;
                titleEn: string;
                titleKo: string;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_NotificationView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description `WORKFLOW` or `GALLERY`; `null` for what is about no post. */
                categoryType?: string | null;
                /** Format: date-time */
                checkedAt?: string | null;
                /** Format: uuid */
                comment?: string | null;
                /** @description What was written, as text; sanitised HTML for a notice. */
                content?: string | null;
                /** Format: date-time */
                createdAt: string;
                /** @description `VIEW`, `LIKE` or `LAUNCH`: what has reached `title.count`. */
                othersType?: string | null;
                outputAsset?: components["schemas"]["OutputAssetRef"] | null;
                /** @description Whether it is an answer to the reader's own comment. */
                recomment: boolean;
                title: components["schemas"]["TitleView"];
                /** @description `COMMENT`, `LIKE`, `NOTICE`, `REQUESTS` or `OTHERS`. */
                type: string;
                user?: components["schemas"]["ActorView"] | null;
                /** Format: uuid */
                workflow?: string | null;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_OutputAssetView: {
            items: {
                /** Format: uuid */
                _id: string;
                asset: components["schemas"]["OutputFile"];
                contentType: string;
                /** Format: date-time */
                createdAt: string;
                /** @description The address that saves the file under that name. */
                downloadUrl?: string | null;
                /** Format: date-time */
                expiresAt?: string | null;
                /** @description What the file is called, for its owner and admins: the name that its worker gave it. `null` where it has none. */
                fileName?: string | null;
                /** @description The file's extension: `png`. */
                format: string;
                /**
                 * @description Whether there is a smaller picture of it, or a poster. Pictures that are larger than the installation's limits have none:
                 *     their owner downloads them.
                 */
                hasPreview: boolean;
                /**
                 * Format: uuid
                 * @description The same once more, as the specification has it.
                 */
                id: string;
                isNsfw: boolean;
                isPrivate: boolean;
                /** @description Whether it can be published: pictures with a preview, films and sounds. */
                isPublishable: boolean;
                job: components["schemas"]["OutputJob"];
                key: string;
                /** @description `image`, `video`, `audio` or `file`. */
                kind: string;
                /** Format: int64 */
                likeCount: number;
                /** @description The asker's own id where they like it, and nobody else's: who else does is nobody's business. */
                likes: string[];
                moderation?: components["schemas"]["HiddenView"] | null;
                optimalUrl: string;
                rawUrl: string;
                /**
                 * @description Whether others who see it are told what it was made with: the mini app and its settings, and of these the texts that
                 *     its owner typed. So it is unless its owner says otherwise.
                 */
                showsOrigin: boolean;
                user?: components["schemas"]["UserCard"] | null;
                /**
                 * Format: int64
                 * @description -1 for one that was deleted.
                 */
                viewCount: number;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_PersonView: {
            items: {
                /** Format: uuid */
                _id: string;
                ban?: components["schemas"]["BanView"] | null;
                /** Format: date-time */
                createdAt: string;
                email: string;
                emailVerified: boolean;
                /** @description Whether they can sign in with a password. */
                hasPassword: boolean;
                /** @description `en` or `ko`. */
                language: string;
                name: string;
                /** @description Tells people of one name apart: `#1234`. */
                nameTag: string;
                plan: string;
                profile?: components["schemas"]["AssetView"] | null;
                /** @description `Customer`, and `Admin` for operators. */
                roles: string[];
                /** @description Where else they sign in: `Google`, `Discord`. */
                signInWith: string[];
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_SharedApiView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: date-time */
                createdAt: string;
                owner: components["schemas"]["SharerView"];
                workflowApi: components["schemas"]["SharedAppView"];
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_SightingView: {
            items: {
                /** Format: uuid */
                _id: string;
                address?: string | null;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description To ten minutes.
                 */
                lastSeenAt: string;
                user?: components["schemas"]["UserCard"] | null;
                /** @description What the browser called itself. */
                userAgent?: string | null;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_UserCard: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description Whether the person has left; `name` is a placeholder then, which pages show in the reader's language. */
                isDeleted?: boolean;
                name: string;
                profile?: components["schemas"]["AssetView"] | null;
                socialProfile?: string | null;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_VideoView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description The channel. */
                author_name: string;
                /** @description The channel's address at YouTube. */
                authorUrl?: string | null;
                /**
                 * Format: date-time
                 * @description When YouTube was asked last.
                 */
                checkedAt: string;
                /** Format: date-time */
                createdAt: string;
                /** @description What the frame of `html` shows. */
                frameUrl: string;
                /** @description A frame of ours, on the host that sets no cookies; nothing of it comes from YouTube but the checked id. */
                html: string;
                /** @description Whether YouTube still gives it to others. Those that it does not are shown to admins alone. */
                isAvailable: boolean;
                name: string;
                poster?: components["schemas"]["AssetView"] | null;
                /** @description The page at YouTube. */
                url: string;
                /** Format: date-time */
                youtubeCreatedAt: string;
                /** @description YouTube's id: eleven letters, digits, `-` and `_`. */
                youtubeId: string;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_WorkflowTagView: {
            items: {
                /** Format: uuid */
                _id: string;
                childrenTags: components["schemas"]["WorkflowTagCard"][];
                /** Format: date-time */
                createdAt: string;
                /** Format: int32 */
                depth: number;
                name: string;
                /** @description In Korean. */
                nameKo: string;
                parentTag?: components["schemas"]["WorkflowTagCard"] | null;
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list that goes on. */
        Cursor_WorkflowView: {
            items: {
                /** Format: uuid */
                _id: string;
                cover?: components["schemas"]["AssetView"] | null;
                /** Format: date-time */
                createdAt: string;
                /** @description HTML, cleaned by the server. Lists give only its beginning. */
                description: string;
                /** Format: date-time */
                editedAt: string;
                /** @description Whether admins put it among the basic workflows. */
                isBasic: boolean;
                isLiked: boolean;
                isNsfw: boolean;
                isPrivate: boolean;
                /** Format: int64 */
                launchCount: number;
                /** Format: int64 */
                likeCount: number;
                /** @description The asker's own id, where they like it: of the others only the count is told. */
                likes: string[];
                /** @description What the mini app makes: `image`, `video`, `audio`, `text` or `file`. */
                makes: string[];
                name: string;
                /** Format: date-time */
                publishedAt?: string | null;
                /** @description What the mini app takes beside its dials: `image`, `video`, `audio`, and `text` for words that are drawn. */
                takes: string[];
                /** @description The gallery. Lists give only the cover. */
                thumbnails: components["schemas"]["AssetView"][];
                translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
                user?: components["schemas"]["UserCard"] | null;
                /** Format: int64 */
                viewCount: number;
                /**
                 * Format: uuid
                 * @description The mini app on it; its presence makes the workflow an "easy app".
                 */
                workflowApi?: string | null;
                /** @description Whether some worker can run the mini app as things are; `null` while that is not known. */
                workflowApiWorks?: boolean | null;
                workflowTags: components["schemas"]["WorkflowTagCard"][];
            }[];
            /** @description Give it back as `cursor` for what follows; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description What a moderator decides. */
        DecideBody: {
            ban?: components["schemas"]["BanBody"] | null;
            /**
             * Format: int32
             * @description The revision of the case that was looked at.
             */
            revision: number;
            verdict: components["schemas"]["CaseVerdict"];
            /** @description A word to the author beside it, 1 to 1000 characters. */
            warning?: string | null;
        };
        /** @description A line of somebody's history. */
        DecisionView: {
            /** Format: uuid */
            _id: string;
            admin?: components["schemas"]["UserCard"] | null;
            /**
             * Format: uuid
             * @description The case; `null` where it was about the person alone.
             */
            case?: string | null;
            /** Format: date-time */
            createdAt: string;
            kind: components["schemas"]["DecisionWord"];
            /** @description What the person was told. */
            text: string;
            /**
             * Format: date-time
             * @description The end of a ban; `null` for good.
             */
            until?: string | null;
        };
        /** @enum {string} */
        DecisionWord: "Keep" | "Hide" | "Delete" | "Restore" | "Warn" | "Ban" | "Unban";
        /** @description How many were deleted. */
        DeletedView: {
            /** Format: int64 */
            deletedCount: number;
        };
        /** @description The workflow that is edited. */
        EditedView: {
            /** Format: uuid */
            _id: string;
            name: string;
        };
        /** @description A node of the workflow, named as ComfyUI does. */
        EditorNodeView: {
            display_name: string;
            id: string;
            inputs: components["schemas"]["NodeInputsView"];
            /** @description No connected worker knows the class. */
            missing: boolean;
            /** @description The class. */
            name: string;
            output_node: boolean;
            python_module: string;
            /** @description What the workflow calls it. */
            title: string;
        };
        /** @description What the editor of a mini app starts from. */
        EditorView: {
            /** @description Whether the workflow has a prompt in API format; without one there are no nodes. */
            hasPrompt: boolean;
            /** @description By their ids. */
            nodes: components["schemas"]["EditorNodeView"][];
            /** @description What output nodes give: `id`, `order`, `name`, `apiFieldName`. */
            outputs: unknown[];
            proposal: components["schemas"]["ProposalView"];
            saved?: components["schemas"]["WorkflowApiView"] | null;
            workflow: components["schemas"]["EditedView"];
        };
        /** @description One line of the statement. */
        EntryView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: int64
             * @description Always positive; the kind gives the direction.
             */
            amount: number;
            /**
             * Format: int64
             * @description What was available after it.
             */
            balanceAfter: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            grant: string;
            /** Format: uuid */
            job?: string | null;
            /** @description `Grant`, `Hold`, `Capture`, `Release` or `Expire`. */
            kind: string;
        };
        /** @description The body of every error. */
        ErrorBody: {
            /**
             * @description What programs switch on. Later versions may have more; a code that is here keeps its meaning.
             * @enum {string}
             */
            code: "BAD_REQUEST" | "VALIDATION_FAILED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "UNAVAILABLE" | "INTERNAL" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "REQUEST_TIMEOUT" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "XSRF_MISMATCH" | "AUTH_LOGIN_REQUIRED" | "AUTH_WRONG_CREDENTIALS" | "AUTH_ALREADY_EMAIL" | "AUTH_LINKED_GOOGLE" | "AUTH_LINKED_DISCORD" | "AUTH_TERMS_REQUIRED" | "AUTH_DISABLED" | "AUTH_EMAIL_UNVERIFIED" | "AUTH_LINK_INVALID" | "AUTH_CODE_WRONG" | "AUTH_CODE_EXPIRED" | "AUTH_SOCIAL_EXPIRED" | "AUTH_SOCIAL_REFUSED" | "AUTH_SOCIAL_EMAIL" | "AUTH_IDENTITY_EXISTS" | "AUTH_IDENTITY_TAKEN" | "AUTH_LAST_WAY" | "SESSION_REQUIRED" | "API_KEY_INVALID" | "API_KEY_LIMIT" | "ACCOUNT_BANNED" | "STEALTH_MODE_REQUIRED" | "TOO_MANY_BLOCKS" | "UNSUBSCRIBE_LINK_INVALID" | "OUT_OF_CREDITS" | "CREDIT_LIMIT" | "HOLD_ENDED" | "STORAGE_FULL" | "FILE_EMPTY" | "FILE_TRUNCATED" | "FILE_TOO_LARGE" | "FILE_TOO_LONG" | "FILE_FORMAT_UNSUPPORTED" | "FILE_SIDES_UNSUPPORTED" | "FILE_NOT_AN_IMAGE" | "FILE_NOT_MEDIA" | "FILE_MEDIA_UNAVAILABLE" | "ASSET_IN_USE" | "INVALID_PROMPT" | "IDEMPOTENCY_MISMATCH" | "IDEMPOTENCY_IN_FLIGHT" | "WEBHOOK_LIMIT" | "WEBHOOK_URL_REFUSED" | "WEBHOOK_DISABLED" | "WEBHOOK_ATTEMPTS" | "EVENTS_FORGOTTEN" | "EVENTS_CURSOR_AHEAD" | "BATCH_CANCELED" | "GRANT_REASON_USED" | "AGENT_TOKEN_INVALID" | "UPGRADE_REQUIRED" | "WORKER_ADDRESS_CREDENTIALS" | "WORKER_ADDRESS_TAKEN" | "WORKFLOW_API_NO_PROMPT" | "WORKFLOW_API_NO_INPUT" | "WORKFLOW_API_NO_OUTPUT" | "WORKFLOW_API_UNHEALTHY" | "SHARE_USER_UNKNOWN" | "SHARE_WITH_YOURSELF" | "SHARED_ALREADY" | "SHARE_LIMIT" | "GALLERY_PAUSED" | "NOT_PUBLISHABLE" | "LIKE_OWN" | "LIKE_PRIVATE" | "VIDEO_EXISTS" | "VIDEO_UNAVAILABLE" | "TAG_NAME_TAKEN" | "TAG_TOO_MANY" | "TAG_IN_USE" | "TAG_HAS_CHILDREN" | "REPORT_OWN" | "POST_LOCKED" | "MODERATION_LOCKED" | "COMMENT_HIDDEN" | "CASE_CHANGED" | "CASE_STATE" | "CASE_THING_GONE" | "NOT_BANNED" | "BAN_ADMIN" | "ROLE_OWN" | "LAST_ADMIN";
            /** @description What a program needs to act: wrong fields as `[{"field", "message"}]`, ComfyUI's validation result, …. */
            details?: unknown;
            /** @description What people read; its wording may change. */
            message: string;
            /** @description Names this request in the logs. */
            requestId: string;
        };
        /** @description An error among several in one answer; the answer's own request id names them all. */
        ErrorLine: {
            /**
             * @description What programs switch on. Later versions may have more; a code that is here keeps its meaning.
             * @enum {string}
             */
            code: "BAD_REQUEST" | "VALIDATION_FAILED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "UNAVAILABLE" | "INTERNAL" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "REQUEST_TIMEOUT" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "XSRF_MISMATCH" | "AUTH_LOGIN_REQUIRED" | "AUTH_WRONG_CREDENTIALS" | "AUTH_ALREADY_EMAIL" | "AUTH_LINKED_GOOGLE" | "AUTH_LINKED_DISCORD" | "AUTH_TERMS_REQUIRED" | "AUTH_DISABLED" | "AUTH_EMAIL_UNVERIFIED" | "AUTH_LINK_INVALID" | "AUTH_CODE_WRONG" | "AUTH_CODE_EXPIRED" | "AUTH_SOCIAL_EXPIRED" | "AUTH_SOCIAL_REFUSED" | "AUTH_SOCIAL_EMAIL" | "AUTH_IDENTITY_EXISTS" | "AUTH_IDENTITY_TAKEN" | "AUTH_LAST_WAY" | "SESSION_REQUIRED" | "API_KEY_INVALID" | "API_KEY_LIMIT" | "ACCOUNT_BANNED" | "STEALTH_MODE_REQUIRED" | "TOO_MANY_BLOCKS" | "UNSUBSCRIBE_LINK_INVALID" | "OUT_OF_CREDITS" | "CREDIT_LIMIT" | "HOLD_ENDED" | "STORAGE_FULL" | "FILE_EMPTY" | "FILE_TRUNCATED" | "FILE_TOO_LARGE" | "FILE_TOO_LONG" | "FILE_FORMAT_UNSUPPORTED" | "FILE_SIDES_UNSUPPORTED" | "FILE_NOT_AN_IMAGE" | "FILE_NOT_MEDIA" | "FILE_MEDIA_UNAVAILABLE" | "ASSET_IN_USE" | "INVALID_PROMPT" | "IDEMPOTENCY_MISMATCH" | "IDEMPOTENCY_IN_FLIGHT" | "WEBHOOK_LIMIT" | "WEBHOOK_URL_REFUSED" | "WEBHOOK_DISABLED" | "WEBHOOK_ATTEMPTS" | "EVENTS_FORGOTTEN" | "EVENTS_CURSOR_AHEAD" | "BATCH_CANCELED" | "GRANT_REASON_USED" | "AGENT_TOKEN_INVALID" | "UPGRADE_REQUIRED" | "WORKER_ADDRESS_CREDENTIALS" | "WORKER_ADDRESS_TAKEN" | "WORKFLOW_API_NO_PROMPT" | "WORKFLOW_API_NO_INPUT" | "WORKFLOW_API_NO_OUTPUT" | "WORKFLOW_API_UNHEALTHY" | "SHARE_USER_UNKNOWN" | "SHARE_WITH_YOURSELF" | "SHARED_ALREADY" | "SHARE_LIMIT" | "GALLERY_PAUSED" | "NOT_PUBLISHABLE" | "LIKE_OWN" | "LIKE_PRIVATE" | "VIDEO_EXISTS" | "VIDEO_UNAVAILABLE" | "TAG_NAME_TAKEN" | "TAG_TOO_MANY" | "TAG_IN_USE" | "TAG_HAS_CHILDREN" | "REPORT_OWN" | "POST_LOCKED" | "MODERATION_LOCKED" | "COMMENT_HIDDEN" | "CASE_CHANGED" | "CASE_STATE" | "CASE_THING_GONE" | "NOT_BANNED" | "BAN_ADMIN" | "ROLE_OWN" | "LAST_ADMIN";
            /** @description As in every other error. */
            details?: unknown;
            /** @description What people read; its wording may change. */
            message: string;
        };
        /** @description An estimate between two bounds. */
        EtaView: {
            /** Format: int64 */
            high: number;
            /** Format: int64 */
            low: number;
        };
        /** @description Something that happened; a webhook's body is the same. */
        EventView: {
            /**
             * @description What it is about (`job`, `batch`, `workflowApi`), what there is to say, and `links` to the rest. Of a job: `status`,
             *     `attempt`, the times, `creditsUsed`, `error`, and the first 50 `outputs` as `nodeId`, `type` and `outputAsset`; of one
             *     that runs its `percent`. Of a batch: `key`, `total`, `createdAt`, `finishedAt`, and `counts` by status.
             */
            data: Record<string, never>;
            /**
             * Format: uuid
             * @description The same in the feed and in webhooks.
             */
            id: string;
            /** @description When it happened. */
            timestamp: string;
            /**
             * @description `job.created`, `job.started`, `job.done`, `job.failed`, `job.canceled`, `job.progress`, `batch.finished`,
             *     `workflow_api.saved`, `workflow_api.deleted` or `test`.
             */
            type: string;
        };
        /** @description How somebody shows that they mean it. */
        FarewellBody: {
            /** @description For everybody else: their name. */
            name?: string | null;
            /**
             * Format: password
             * @description For whoever has a password.
             */
            password?: string | null;
        };
        /** @description A page of the feed. */
        FeedView: {
            /** @description In the order in which they happened. */
            items: components["schemas"]["EventView"][];
            /** @description Send it as `after` the next time. There is always one. */
            nextCursor: string;
        };
        /** @description A file among the outputs. */
        FileOutputView: {
            contentType: string;
            /** @description The address that saves the file under that name. */
            downloadUrl?: string | null;
            /** @description What the file is called: the name that its worker gave it. `null` for pictures that no folder of the worker has. */
            fileName?: string | null;
            /** @description Whether there is a smaller picture of it, or a poster. Pictures that are larger than the installation's limits have none. */
            hasPreview: boolean;
            /** Format: int32 */
            height?: number | null;
            /** @description The file with the prompt and the graph in it, for whoever owns what ran, where there are any. */
            originalUrl?: string | null;
            /**
             * Format: uuid
             * @description Its id in the gallery.
             */
            outputAsset: string;
            /** Format: int64 */
            sizeBytes: number;
            url: string;
            /** Format: int32 */
            width?: number | null;
        };
        /** @description What becomes of several things. One of the two. */
        FlagBody: {
            /** @description For admins alone. */
            isNsfw?: boolean | null;
            isPrivate?: boolean | null;
        };
        /** @description Whose password was forgotten. */
        ForgotBody: {
            /** @example ann@example.com */
            email: string;
        };
        /** @description A form as JSON schema and UI schema. */
        FormView: {
            schema: unknown;
            uiSchema: unknown;
        };
        /** @description One output: whole, or the graph that made it. */
        FoundOutputView: components["schemas"]["OutputAssetView"] | components["schemas"]["OutputGraphView"];
        /** @description Workflows, pictures and people that a text means, the best of each first. */
        FoundView: {
            people: components["schemas"]["UserCard"][];
            pictures: components["schemas"]["OutputAssetView"][];
            workflows: components["schemas"]["WorkflowView"][];
        };
        /** @description One workflow: all of it, or its graph where `select=prompt name` asks for that. */
        FoundWorkflowView: components["schemas"]["WorkflowView"] | components["schemas"]["WorkflowGraphView"];
        /** @description Credits that an operator gives to somebody. */
        GrantBody: {
            /**
             * Format: int64
             * @description 1 to 1,000,000,000,000.
             */
            amount: number;
            /**
             * Format: date-time
             * @description When what is left of them goes, in the future; never when left out.
             */
            expiresAt?: string | null;
            kind?: components["schemas"]["GrantWord"] | null;
            /** @description What they are for. The same reason gives the same person credits once. */
            reason: string;
            /**
             * Format: uuid
             * @description Who gets them.
             */
            user: string;
        };
        /** @description A lot of credits with one expiry. */
        GrantView: {
            /** Format: uuid */
            _id: string;
            /** Format: int64 */
            amount: number;
            /** Format: int64 */
            expired: number;
            /** Format: date-time */
            expiresAt?: string | null;
            /** Format: int64 */
            held: number;
            /** Format: date-time */
            issuedAt: string;
            /** @description `Plan`, `Purchase`, `Operator` or `Coupon`. */
            kind: string;
            /** Format: int64 */
            remaining: number;
            /** Format: int64 */
            spent: number;
        };
        /** @enum {string} */
        GrantWord: "Operator" | "Coupon" | "Plan" | "Purchase";
        /** @description A graph: an object, or a JSON text of one, as browsers keep it. */
        GraphBody: string | Record<string, never>;
        /** @description Whether the node can take jobs, and why not. */
        HealthView: {
            /**
             * Format: int64
             * @description How often the built-in worker, which is a process of its own, was started again since the node started; 0 where
             *     there is none.
             */
            builtinWorkerRestarts: number;
            /** @description `ok`, or what is wrong with it. */
            database: string;
            /** @description Parts of this node that have panicked since it started, and were started again. Empty where all is well. */
            panics: components["schemas"]["PartView"][];
            reason?: string | null;
            /** @description `ok` or `unavailable`. */
            status: string;
            /** @description `ok`, or `away` where files can be neither stored nor read: jobs are taken and wait. */
            storage: string;
            /** @description `ok` where videos get sizes and posters, else why they do not; the node takes jobs all the same. */
            videos: string;
            /** @description How many workers are in which state: `{"idle": 1}`. */
            workers: {
                [key: string]: number;
            };
        };
        /** @description What is told of an output that a moderator has hidden. */
        HiddenView: {
            /** @description For what it was reported; empty where another output with the same file was hidden. */
            reasons: components["schemas"]["ReportReason"][];
        };
        /** @description A picture to keep among the inputs. */
        InputAssetBody: {
            /**
             * Format: uuid
             * @description An asset of the caller's.
             */
            asset: string;
            /** @description Whether nobody else may see the picture; `true` when it is left out. */
            isPrivate?: boolean;
        };
        /** @description A picture that its owner may use as an input. */
        InputAssetView: {
            /** Format: uuid */
            _id: string;
            asset: components["schemas"]["AssetView"];
            /** Format: date-time */
            createdAt: string;
            isPrivate: boolean;
            /**
             * Format: uuid
             * @description Its owner.
             */
            user: string;
        };
        /** @description Who may see the pictures of inputs. */
        InputPrivacyBody: {
            isPrivate: boolean;
        };
        /** @description One item of a batch: a mini app with a form, or a raw prompt. */
        ItemBody: {
            /** @description `extra_pnginfo` and the like, for the worker. */
            extraData?: Record<string, never> | null;
            /** @description The uploaded asset for each file name in the prompt. */
            files?: {
                [key: string]: string;
            } | null;
            /** @description Its form: API field name → value. */
            form?: Record<string, never> | null;
            /** @description The item's idempotency key: 1 to 255 visible ASCII characters. */
            key: string;
            /** @description A prompt in ComfyUI's API format: node id → node. */
            prompt?: Record<string, never> | null;
            /** @description Refuses the prompt where any of its outputs cannot be made. */
            strict?: boolean | null;
            /**
             * Format: uuid
             * @description The mini app to run.
             */
            workflowApi?: string | null;
        };
        /** @description A whole list. */
        Items_AgentTokenView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When an agent connected with it last.
                 */
                lastUsedAt?: string | null;
                name: string;
                /** @description The pools that its agents may join. */
                pools: string[];
                /** @description The first characters of the token. */
                prefix: string;
                /**
                 * Format: int64
                 * @description Agents of it whose workers were removed, and that it does not let in.
                 */
                removedAgents: number;
                /** Format: date-time */
                revokedAt?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_AgentView: {
            items: {
                agentVersion: string;
                comfyuiVersion?: string | null;
                /**
                 * Format: date-time
                 * @description When it connected last.
                 */
                connectedAt: string;
                driver?: string | null;
                gpus: components["schemas"]["AgentGpuView"][];
                /** @description Left out in lists. */
                models: components["schemas"]["AgentModelView"][];
                name: string;
                /**
                 * Format: uuid
                 * @description The node that it is connected to; none while it is away.
                 */
                node?: string | null;
                /** @description What is with its server, in its words. */
                note?: string | null;
                os?: string | null;
                /** @description The name of the token that let it in. */
                token: string;
                /**
                 * Format: uuid
                 * @description The worker's id.
                 */
                worker: string;
            }[];
        };
        /** @description A whole list. */
        Items_ApiKeyView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                lastUsedAt?: string | null;
                name: string;
                /** @description How the key begins, to recognise it by. */
                prefix: string;
                /** Format: date-time */
                revokedAt?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_BlockView: {
            items: {
                /** Format: date-time */
                createdAt: string;
                user: components["schemas"]["UserCard"];
            }[];
        };
        /** @description A whole list. */
        Items_ComfyModelView: {
            items: {
                _id: string;
                name: string;
            }[];
        };
        /** @description A whole list. */
        Items_CommentView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description Sanitised HTML; empty once it is deleted, and for all but admins once a moderator has hidden it. */
                content: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: int32
                 * @description 0 for a comment, 1 for an answer.
                 */
                depth: number;
                /** Format: int64 */
                dislikeCount: number;
                /** Format: date-time */
                editedAt?: string | null;
                /** @description Whether a moderator has hidden it: a placeholder stands in its place. */
                isHidden: boolean;
                /** @description What the asker thinks: `true` liked, `false` disliked, `null` neither. */
                isLike?: boolean | null;
                /** Format: int64 */
                likeCount: number;
                /** Format: uuid */
                outputAsset?: string | null;
                /**
                 * Format: uuid
                 * @description The comment that this answers.
                 */
                parent?: string | null;
                /** Format: int64 */
                replyCount: number;
                user?: components["schemas"]["ActorView"] | null;
                /** Format: uuid */
                workflow?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_InputAssetView: {
            items: {
                /** Format: uuid */
                _id: string;
                asset: components["schemas"]["AssetView"];
                /** Format: date-time */
                createdAt: string;
                isPrivate: boolean;
                /**
                 * Format: uuid
                 * @description Its owner.
                 */
                user: string;
            }[];
        };
        /** @description A whole list. */
        Items_NotificationView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description `WORKFLOW` or `GALLERY`; `null` for what is about no post. */
                categoryType?: string | null;
                /** Format: date-time */
                checkedAt?: string | null;
                /** Format: uuid */
                comment?: string | null;
                /** @description What was written, as text; sanitised HTML for a notice. */
                content?: string | null;
                /** Format: date-time */
                createdAt: string;
                /** @description `VIEW`, `LIKE` or `LAUNCH`: what has reached `title.count`. */
                othersType?: string | null;
                outputAsset?: components["schemas"]["OutputAssetRef"] | null;
                /** @description Whether it is an answer to the reader's own comment. */
                recomment: boolean;
                title: components["schemas"]["TitleView"];
                /** @description `COMMENT`, `LIKE`, `NOTICE`, `REQUESTS` or `OTHERS`. */
                type: string;
                user?: components["schemas"]["ActorView"] | null;
                /** Format: uuid */
                workflow?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_OutputAssetView: {
            items: {
                /** Format: uuid */
                _id: string;
                asset: components["schemas"]["OutputFile"];
                contentType: string;
                /** Format: date-time */
                createdAt: string;
                /** @description The address that saves the file under that name. */
                downloadUrl?: string | null;
                /** Format: date-time */
                expiresAt?: string | null;
                /** @description What the file is called, for its owner and admins: the name that its worker gave it. `null` where it has none. */
                fileName?: string | null;
                /** @description The file's extension: `png`. */
                format: string;
                /**
                 * @description Whether there is a smaller picture of it, or a poster. Pictures that are larger than the installation's limits have none:
                 *     their owner downloads them.
                 */
                hasPreview: boolean;
                /**
                 * Format: uuid
                 * @description The same once more, as the specification has it.
                 */
                id: string;
                isNsfw: boolean;
                isPrivate: boolean;
                /** @description Whether it can be published: pictures with a preview, films and sounds. */
                isPublishable: boolean;
                job: components["schemas"]["OutputJob"];
                key: string;
                /** @description `image`, `video`, `audio` or `file`. */
                kind: string;
                /** Format: int64 */
                likeCount: number;
                /** @description The asker's own id where they like it, and nobody else's: who else does is nobody's business. */
                likes: string[];
                moderation?: components["schemas"]["HiddenView"] | null;
                optimalUrl: string;
                rawUrl: string;
                /**
                 * @description Whether others who see it are told what it was made with: the mini app and its settings, and of these the texts that
                 *     its owner typed. So it is unless its owner says otherwise.
                 */
                showsOrigin: boolean;
                user?: components["schemas"]["UserCard"] | null;
                /**
                 * Format: int64
                 * @description -1 for one that was deleted.
                 */
                viewCount: number;
            }[];
        };
        /** @description A whole list. */
        Items_SessionView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description The address of the network that the session began at. */
                address?: string | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
                /** @description Whether it is the one that asks. */
                isCurrent: boolean;
                /**
                 * Format: date-time
                 * @description To ten minutes.
                 */
                lastSeenAt: string;
                /** @description What the browser called itself. */
                userAgent?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_ShareView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: date-time */
                createdAt: string;
                sharedUser: components["schemas"]["SharedUserView"];
            }[];
        };
        /** @description A whole list. */
        Items_UpkeepTaskView: {
            items: {
                /**
                 * Format: int64
                 * @description Things that a round does at most, where that is bounded; the next one follows at once where there are more.
                 */
                batch?: number | null;
                /**
                 * Format: int64
                 * @description A round that takes longer is given up.
                 */
                deadlineSeconds: number;
                /**
                 * Format: int64
                 * @description Things that the last round did.
                 */
                done: number;
                /** Format: date-time */
                dueAt?: string | null;
                /** Format: date-time */
                endedAt?: string | null;
                /** @description Why the last round failed. */
                error?: string | null;
                /**
                 * Format: int64
                 * @description From the end of a round to the begin of the next.
                 */
                everySeconds: number;
                /**
                 * Format: int32
                 * @description Rounds in a row that failed.
                 */
                failures: number;
                isRunning: boolean;
                /** @example orphaned_files */
                name: string;
                /**
                 * Format: uuid
                 * @description The node that did the last round, or does it; null before the first one.
                 */
                node?: string | null;
                /** Format: date-time */
                startedAt?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_WebhookConfigView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                disabledAt?: string | null;
                /** @description `gone`, where the receiver answered 410, or `failing`, where nothing reached it for three days. */
                disabledReason?: string | null;
                /** Format: date-time */
                failingSince?: string | null;
                isActive: boolean;
                lastAttempt?: components["schemas"]["LastAttemptView"] | null;
                name: string;
                /** @description What signs the messages. It is told here once, when the webhook is made. */
                secret?: string | null;
                /** Format: date-time */
                updatedAt: string;
                /**
                 * Format: int64
                 * @description Events that are still to be brought; 1000 stands for more.
                 */
                waiting: number;
                webhookEvents: components["schemas"]["WebhookEventView"][];
                webhookUrl: string;
                /**
                 * Format: uuid
                 * @description `null`: all jobs of the account.
                 */
                workflowApi?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_WebhookEventView: {
            items: {
                /** @description What is sent to choose it. */
                _id: string;
                /** @description One sentence. */
                description: string;
                name: string;
            }[];
        };
        /** @description A whole list. */
        Items_WorkerView: {
            items: {
                /** Format: uuid */
                _id: string;
                agent?: components["schemas"]["WorkerAgentView"] | null;
                /**
                 * @description Node classes that it describes otherwise than most workers, with other inputs or outputs: it may have another
                 *     version, or be tampered with. A prompt with such a class is judged by the worker that runs it.
                 */
                differentClasses: string[];
                draining: boolean;
                /**
                 * Format: uuid
                 * @description The job it runs.
                 */
                job?: string | null;
                name: string;
                /**
                 * Format: uuid
                 * @description The node that connects to it; none while no living node has taken it.
                 */
                node?: string | null;
                /** @description How many node classes it has. */
                nodeClasses: number;
                /** @description What that node is called. */
                nodeName?: string | null;
                paused: boolean;
                pool: string;
                /** @description Why it is not idle. */
                reason?: string | null;
                /** @description `Connecting`, `Idle`, `Busy`, `Draining`, `Paused` or `Gone`. */
                state: string;
                /**
                 * Format: date-time
                 * @description Since when it answers no question about the job that it runs. After `jobs.silent_seconds` the job is tried elsewhere.
                 */
                unansweredSince?: string | null;
                url: string;
                version?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_WorkflowTagCard: {
            items: {
                /** Format: uuid */
                _id: string;
                /**
                 * Format: int32
                 * @description 0 for tags without a parent: these are searched as `parentTag`, others as `childrenTag`.
                 */
                depth: number;
                name: string;
                /** @description In Korean. */
                nameKo: string;
                /**
                 * Format: uuid
                 * @description The parent's id.
                 */
                parentTag?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_WorkflowTagUseView: {
            items: (components["schemas"]["WorkflowTagCard"] & {
                /**
                 * Format: int64
                 * @description Those of them that are published.
                 */
                published: number;
                /**
                 * Format: int64
                 * @description Workflows that carry it or a tag below it, also drafts.
                 */
                workflows: number;
            })[];
        };
        /** @description A whole list. */
        Items_WorkflowView: {
            items: {
                /** Format: uuid */
                _id: string;
                cover?: components["schemas"]["AssetView"] | null;
                /** Format: date-time */
                createdAt: string;
                /** @description HTML, cleaned by the server. Lists give only its beginning. */
                description: string;
                /** Format: date-time */
                editedAt: string;
                /** @description Whether admins put it among the basic workflows. */
                isBasic: boolean;
                isLiked: boolean;
                isNsfw: boolean;
                isPrivate: boolean;
                /** Format: int64 */
                launchCount: number;
                /** Format: int64 */
                likeCount: number;
                /** @description The asker's own id, where they like it: of the others only the count is told. */
                likes: string[];
                /** @description What the mini app makes: `image`, `video`, `audio`, `text` or `file`. */
                makes: string[];
                name: string;
                /** Format: date-time */
                publishedAt?: string | null;
                /** @description What the mini app takes beside its dials: `image`, `video`, `audio`, and `text` for words that are drawn. */
                takes: string[];
                /** @description The gallery. Lists give only the cover. */
                thumbnails: components["schemas"]["AssetView"][];
                translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
                user?: components["schemas"]["UserCard"] | null;
                /** Format: int64 */
                viewCount: number;
                /**
                 * Format: uuid
                 * @description The mini app on it; its presence makes the workflow an "easy app".
                 */
                workflowApi?: string | null;
                /** @description Whether some worker can run the mini app as things are; `null` while that is not known. */
                workflowApiWorks?: boolean | null;
                workflowTags: components["schemas"]["WorkflowTagCard"][];
            }[];
        };
        /** @description What became of one item: `id`, `seeds` and `replayed`, or `error`. */
        ItemView: {
            error?: components["schemas"]["ErrorLine"] | null;
            /**
             * Format: uuid
             * @description The job.
             */
            id?: string | null;
            /** @description The item's key, where it could be read. */
            key?: string | null;
            /**
             * Format: int64
             * @description The line of the upload, counted from 1.
             */
            line: number;
            /** @description Whether the job was there already, made by an earlier upload. */
            replayed?: boolean | null;
            /** @description The seeds that were drawn for fields given as -1. */
            seeds?: Record<string, never> | null;
        };
        /** @description What a job cost. */
        JobCredits: {
            /**
             * Format: int64
             * @description Held until the end.
             */
            held: number;
            /**
             * Format: int64
             * @description Charged at the end; `null` until then.
             */
            used?: number | null;
        };
        /** @description What stands for a job in a list: its first picture or film. */
        JobResult: {
            blurHash?: string | null;
            /** @description How many pictures and films it made; 8 stands for 8 and more. */
            count: number;
            isNsfw: boolean;
            isPrivate: boolean;
            /** @description `image` or `video`. */
            kind: string;
            /** Format: uuid */
            outputAsset: string;
            /** @description 200 pixels wide; `null` for a film without a poster, and for a picture without a preview. */
            thumbnailUrl?: string | null;
        };
        /** @description A job with everything that its owner may know. */
        JobView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: int32
             * @description How often a worker was chosen for it; 0 while none was.
             */
            attempt: number;
            /**
             * Format: uuid
             * @description The batch that it was sent in.
             */
            batch?: string | null;
            /** Format: date-time */
            createdAt: string;
            credits: components["schemas"]["JobCredits"];
            /** Format: int64 */
            durationMs?: number | null;
            /** Format: date-time */
            endedAt?: string | null;
            executeException?: unknown;
            /** @description The values that the form was sent with. */
            form?: unknown;
            /** @description `interactive`, `api` or `training`. */
            lane: string;
            /** @description ComfyUI's `node_errors` of outputs that were left out because they cannot be made. */
            nodeErrors?: unknown;
            pool: string;
            /**
             * @description Of one job that has ended, asked for by its id: what its nodes gave, as ComfyUI's history has it (node id → output type →
             *     `filename`, `subfolder` and `type` of each file, or texts), with the `url` of each file. Else `null`. `api-outputs` says more.
             */
            promptResult?: unknown;
            result?: components["schemas"]["JobResult"] | null;
            seeds: Record<string, never>;
            /** Format: date-time */
            startedAt?: string | null;
            status: string;
            /**
             * @description What it made and could not deliver. A job of which anything was delivered is `Done` all the same; one of which
             *     nothing can be delivered ends as `WorkerExceptionError` and costs nothing.
             */
            undelivered: components["schemas"]["UndeliveredView"][];
            validateException?: unknown;
            workflow?: components["schemas"]["WorkflowCard"] | null;
            /** Format: uuid */
            workflowApi?: string | null;
        };
        /** @description A language of the pages. */
        LanguageBody: {
            /** @description `en` or `ko`. */
            language: components["schemas"]["LanguageTag"];
        };
        /** @enum {string} */
        LanguageTag: "en" | "ko";
        /** @description How the last attempt went. */
        LastAttemptView: {
            /** Format: date-time */
            attemptAt: string;
            /** Format: int32 */
            responseStatus?: number | null;
            /** @description `Success` or `Failed`. */
            status: string;
        };
        /** @description The output to like. */
        LikeBody: {
            /** Format: uuid */
            id: string;
        };
        /** @description Whether the asker likes an output now, and how many do. */
        LikedView: {
            isLike: boolean;
            /** Format: int64 */
            likeCount: number;
        };
        /** @description How a workflow stands after a like, or after one was taken back. */
        LikeView: {
            isLiked: boolean;
            /** Format: int64 */
            likeCount: number;
        };
        /** @description What the browser came back with to connect an account. */
        LinkBody: {
            /** @description The provider's code. */
            code: string;
            state: string;
        };
        /** @description A mini app in a list. */
        ListedApiView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: uuid
             * @description The same once more, as the specification has it.
             */
            id: string;
            /** @description Keyed `id.name`; for its owner and admins. */
            inputs?: unknown;
            /** @description Keyed by node id; for its owner and admins. */
            outputs?: unknown;
            /** @description The form, made by the server. */
            rjsf: components["schemas"]["FormView"];
            /** Format: date-time */
            updatedAt: string;
            workflow: components["schemas"]["WorkflowCard"];
        };
        /** @description The process answers. */
        LiveView: {
            /** @description `live`. */
            status: string;
        };
        /** @description What is known of a picture or video. */
        MetadataView: {
            /**
             * Format: int64
             * @description Milliseconds; of videos that tell it.
             */
            duration?: number | null;
            /** Format: int32 */
            height?: number | null;
            /**
             * @description A still picture of a video, as WebP. `null` for what is no video, and for a video that could not be read: its
             *     first frame serves then.
             */
            videoPreviewImageUrl?: string | null;
            /**
             * Format: int32
             * @description In pixels, as it is seen.
             */
            width?: number | null;
        };
        /** @description What an app needs and the nearest worker lacks. */
        MissingView: {
            /** @description Node classes. */
            classes: string[];
            /** @description Model files, as `folder/name`. */
            models: string[];
        };
        /** @description Whether there is more; nothing is counted for it. */
        MorePages: {
            hasMore: boolean;
            /**
             * Format: int32
             * @description Counts from 1.
             */
            page: number;
        };
        /** @description A name. */
        NameBody: {
            /** @description 2 to 20 characters. */
            name: string;
        };
        /** @description A token to make. */
        NewAgentTokenBody: {
            /** @description What it is for. */
            name: string;
            /** @description The pools that its agents may join, of the configuration. */
            pools: components["schemas"]["PoolName"][];
        };
        /** @description A token that was just made. */
        NewAgentTokenView: {
            agentToken: components["schemas"]["AgentTokenView"];
            /** @description The token. It is shown here and nowhere else. */
            token: string;
        };
        /** @description A key to make. */
        NewApiKeyBody: {
            /** @description What it is for; 1 to 50 characters. */
            name: string;
        };
        /** @description An API key that was just made. */
        NewApiKeyView: components["schemas"]["ApiKeyView"] & {
            /** @description The whole key. Shown this once and never again. */
            key: string;
        };
        /** @description A comment: on a workflow, on a picture, or an answer to a comment. One of the three. */
        NewCommentBody: {
            /** @description HTML of at most 580 characters of text; what is not allowed is taken out. */
            content: string;
            /**
             * Format: int32
             * @description 0 for a comment, 1 for an answer. Follows from the rest; where it is given, it must agree.
             */
            depth?: number | null;
            /** Format: uuid */
            outputAsset?: string | null;
            /**
             * Format: uuid
             * @description The comment that this answers.
             */
            parent?: string | null;
            /** Format: uuid */
            workflow?: string | null;
        };
        /** @description A tag that shall be. */
        NewTagBody: {
            /** @description 1 to 50 characters. */
            name: string;
            /** @description In Korean. */
            nameKo: string;
            /**
             * Format: uuid
             * @description A tag of depth 0; `null` or left out for a root.
             */
            parentTag?: string | null;
        };
        /** @description A video to be added. */
        NewVideoBody: {
            /** @description Its address at YouTube: of the page, a short link, a short, a live stream or a frame. */
            url: string;
            /**
             * Format: date-time
             * @description When it came out; now when it is left out.
             */
            youtubeCreatedAt?: string | null;
        };
        /** @description A new workflow. */
        NewWorkflowBody: {
            /**
             * Format: uuid
             * @description An asset of the caller's; the first of the gallery when it is left out.
             */
            cover?: string | null;
            /** @description HTML; what is not allowed is taken out. */
            description?: string;
            /** @description `false` publishes it at once; it needs a tag and a picture then, as every published workflow does. */
            isPrivate?: boolean;
            /** @description 1 to 100 characters. */
            name: string;
            prompt: components["schemas"]["GraphBody"];
            /** @description The gallery in its order: up to 16 assets of the caller's. */
            thumbnails?: string[];
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            /** @description Tags in their order: up to 5. */
            workflowTags?: string[];
        };
        /** @description The inputs that a form can fill, by name, each as a mini app has it. */
        NodeInputsView: {
            optional: Record<string, never>;
            required: Record<string, never>;
        };
        /** @description What one output node gave. */
        NodeOutputsView: {
            name: string;
            nodeId: string;
            /** @description Output type (`images`, `text`, `gifs`, `audio`, `files`) → its items, in order. */
            outputs: Record<string, never>;
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            /** @description What the node made and the job could not deliver; the rest is in `outputs`. */
            undelivered?: components["schemas"]["UndeliveredView"][];
        };
        /** @description A notice in both languages. */
        NoticeBody: {
            /** @description HTML; what is not allowed is taken out. */
            contentEn: string;
            contentKo: string;
            /** @description 1 to 100 characters. */
            titleEn: string;
            titleKo: string;
        };
        /** @description A notice of the operators, in both languages. */
        NoticeView: {
            /** Format: uuid */
            _id: string;
            /** @description Sanitised HTML. */
            contentEn: string;
            contentKo: string;
            /** Format: date-time */
            createdAt: string;
            titleEn: string;
            titleKo: string;
        };
        /** @enum {string} */
        NotificationKind: "COMMENT" | "LIKE" | "NOTICE" | "REQUESTS" | "OTHERS";
        /** @enum {string} */
        NotificationKindOrAll: "ALL" | "COMMENT" | "LIKE" | "NOTICE" | "REQUESTS" | "OTHERS";
        /** @description Types that somebody is mailed about. */
        NotificationSettingsView: {
            mailedTypes: string[];
        };
        /** @description Something that somebody is told. */
        NotificationView: {
            /** Format: uuid */
            _id: string;
            /** @description `WORKFLOW` or `GALLERY`; `null` for what is about no post. */
            categoryType?: string | null;
            /** Format: date-time */
            checkedAt?: string | null;
            /** Format: uuid */
            comment?: string | null;
            /** @description What was written, as text; sanitised HTML for a notice. */
            content?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description `VIEW`, `LIKE` or `LAUNCH`: what has reached `title.count`. */
            othersType?: string | null;
            outputAsset?: components["schemas"]["OutputAssetRef"] | null;
            /** @description Whether it is an answer to the reader's own comment. */
            recomment: boolean;
            title: components["schemas"]["TitleView"];
            /** @description `COMMENT`, `LIKE`, `NOTICE`, `REQUESTS` or `OTHERS`. */
            type: string;
            user?: components["schemas"]["ActorView"] | null;
            /** Format: uuid */
            workflow?: string | null;
        };
        /** @description Whether an output is safe for work. */
        NsfwBody: {
            /**
             * Format: uuid
             * @description The output's id once more, as the specification sends it; not looked at.
             */
            id?: string | null;
            isNsfw: boolean;
        };
        /** @description A page for a link preview, by oEmbed. */
        OembedView: {
            author_name?: string | null;
            /** Format: int32 */
            height?: number | null;
            provider_name: string;
            provider_url: string;
            title: string;
            /** @description `photo` where there is a picture, else `link`. */
            type: string;
            /** @description The picture of a `photo`, and its size. */
            url?: string | null;
            version: string;
            /** Format: int32 */
            width?: number | null;
        };
        /** @description Who runs this installation, and how its rules stand. */
        OperatorView: {
            /** @description Where people write to; `null` where nobody is named. */
            email?: string | null;
            /** @description Whether a support chat of somebody else is offered to people who are signed in. */
            hasChat: boolean;
            name: string;
            /**
             * Format: int32
             * @description Days for which pictures that were not published are kept.
             */
            outputDays: number;
            /** @description Where admins answer people; `null` for everybody else, and where there is no such place. */
            supportDesk?: string | null;
            /** @description The day on which the terms of use and the privacy policy changed last. */
            termsVersion: string;
        };
        /** @description What an output was made with. */
        OriginView: {
            /** Format: uuid */
            _id: string;
            /** @description `false` where its owner, or the author of what ran, keeps it to themselves: the rest is empty then. */
            isTold: boolean;
            /** @description The values that it ran with, in the form's order. */
            settings: components["schemas"]["SettingView"][];
            /** @description The uploads among the values; for whose they are. */
            uploads: components["schemas"]["AssetView"][];
            workflow?: components["schemas"]["WorkflowCard"] | null;
            /**
             * Format: uuid
             * @description The mini app, while the asker may run it.
             */
            workflowApi?: string | null;
        };
        /** @description A picture that a notification is about, where it can still be seen. */
        OutputAssetRef: {
            /** Format: uuid */
            _id: string;
            thumbnailUrl?: string | null;
        };
        /** @description An output of a job. */
        OutputAssetView: {
            /** Format: uuid */
            _id: string;
            asset: components["schemas"]["OutputFile"];
            contentType: string;
            /** Format: date-time */
            createdAt: string;
            /** @description The address that saves the file under that name. */
            downloadUrl?: string | null;
            /** Format: date-time */
            expiresAt?: string | null;
            /** @description What the file is called, for its owner and admins: the name that its worker gave it. `null` where it has none. */
            fileName?: string | null;
            /** @description The file's extension: `png`. */
            format: string;
            /**
             * @description Whether there is a smaller picture of it, or a poster. Pictures that are larger than the installation's limits have none:
             *     their owner downloads them.
             */
            hasPreview: boolean;
            /**
             * Format: uuid
             * @description The same once more, as the specification has it.
             */
            id: string;
            isNsfw: boolean;
            isPrivate: boolean;
            /** @description Whether it can be published: pictures with a preview, films and sounds. */
            isPublishable: boolean;
            job: components["schemas"]["OutputJob"];
            key: string;
            /** @description `image`, `video`, `audio` or `file`. */
            kind: string;
            /** Format: int64 */
            likeCount: number;
            /** @description The asker's own id where they like it, and nobody else's: who else does is nobody's business. */
            likes: string[];
            moderation?: components["schemas"]["HiddenView"] | null;
            optimalUrl: string;
            rawUrl: string;
            /**
             * @description Whether others who see it are told what it was made with: the mini app and its settings, and of these the texts that
             *     its owner typed. So it is unless its owner says otherwise.
             */
            showsOrigin: boolean;
            user?: components["schemas"]["UserCard"] | null;
            /**
             * Format: int64
             * @description -1 for one that was deleted.
             */
            viewCount: number;
        };
        /** @description The file behind an output. */
        OutputFile: {
            baseUrl: string;
            /** @description A few bytes, in Base64, that draw a blurred placeholder. */
            blurHash?: string | null;
            /** Format: int32 */
            height?: number | null;
            key: string;
            /** @description `Image`, `Video`, `Audio` or `File`. */
            kind: string;
            metadata: components["schemas"]["MetadataView"];
            /**
             * @description What it is called among several that are saved: `YYYYMMDD_HHmmss` of when it was made, in UTC. Files that are no pictures
             *     keep the name that their worker gave them.
             */
            name: string;
            /** @description The quality that pages should show. */
            optimal: string;
            /** @description The folder of the media addresses. */
            prefix: string;
            thumbnailUrl: string;
            url: string;
            /** @description The key of the small WebP picture. */
            webpKey: string;
            /** Format: int32 */
            width?: number | null;
        };
        /** @description The graph that made an output, as `select=prompt name` asks for it. */
        OutputGraphView: {
            /** Format: uuid */
            _id: string;
            /** @description The name of the workflow whose mini app made it; empty for a raw prompt. */
            name: string;
            /** @description A JSON text: `{"workflow": null, "output": API format}`. */
            prompt: string;
            /**
             * Format: uuid
             * @description The workflow whose mini app made it.
             */
            workflow?: string | null;
        };
        /** @description The job that made an output. */
        OutputJob: {
            /**
             * Format: uuid
             * @description For its owner and admins.
             */
            _id?: string | null;
            /**
             * Format: int64
             * @description Milliseconds that it ran.
             */
            duration?: number | null;
        };
        /** @description The caller's report of a thing. */
        OwnReportView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            reason: components["schemas"]["ReportReason"];
            text: string;
            /**
             * Format: date-time
             * @description Later than `createdAt` where the caller had reported it before.
             */
            updatedAt: string;
        };
        /** @description One page of a numbered list. */
        Page_InputAssetView: {
            items: {
                /** Format: uuid */
                _id: string;
                asset: components["schemas"]["AssetView"];
                /** Format: date-time */
                createdAt: string;
                isPrivate: boolean;
                /**
                 * Format: uuid
                 * @description Its owner.
                 */
                user: string;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description One page of a numbered list. */
        Page_NotificationView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description `WORKFLOW` or `GALLERY`; `null` for what is about no post. */
                categoryType?: string | null;
                /** Format: date-time */
                checkedAt?: string | null;
                /** Format: uuid */
                comment?: string | null;
                /** @description What was written, as text; sanitised HTML for a notice. */
                content?: string | null;
                /** Format: date-time */
                createdAt: string;
                /** @description `VIEW`, `LIKE` or `LAUNCH`: what has reached `title.count`. */
                othersType?: string | null;
                outputAsset?: components["schemas"]["OutputAssetRef"] | null;
                /** @description Whether it is an answer to the reader's own comment. */
                recomment: boolean;
                title: components["schemas"]["TitleView"];
                /** @description `COMMENT`, `LIKE`, `NOTICE`, `REQUESTS` or `OTHERS`. */
                type: string;
                user?: components["schemas"]["ActorView"] | null;
                /** Format: uuid */
                workflow?: string | null;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Where a page stands. */
        Pagination: {
            /**
             * Format: int32
             * @description Counts from 1.
             */
            currentPage: number;
            /** Format: int32 */
            limit: number;
            /** Format: int64 */
            totalCount: number;
            /** Format: int32 */
            totalPages: number;
        };
        /** @description A part of the node that has panicked. */
        PartView: {
            /**
             * Format: int32
             * @description How many of its kind are down now; they are started again within seconds.
             */
            down: number;
            /**
             * Format: int32
             * @description How often, since the node started.
             */
            panics: number;
            /** @description `ledger`, `dispatcher`, `connection`, … */
            part: string;
        };
        /** @description A new password. */
        PasswordBody: {
            /**
             * Format: password
             * @description The password until now; left out by somebody who has none.
             */
            current?: string | null;
            /**
             * Format: password
             * @description 8 to 128 characters.
             */
            password: string;
        };
        /** @description A sign-up that waits for the code that was mailed. */
        PendingSignUpView: {
            email: string;
            /**
             * Format: date-time
             * @description When the code stops working.
             */
            expiresAt: string;
            /**
             * Format: uuid
             * @description Give it back with the code.
             */
            signUp: string;
        };
        /** @description One period. */
        PeriodView: {
            /** Format: int64 */
            count: number;
            /**
             * Format: date
             * @description The day that it begins on.
             */
            date: string;
        };
        /** @description A person with their standing. */
        PersonDetailView: components["schemas"]["PersonView"] & {
            /**
             * Format: int64
             * @description Credits that are free for their next job.
             */
            credits: number;
            /** @description What was decided about them and their things, newest first. */
            history: components["schemas"]["DecisionView"][];
            /**
             * Format: int64
             * @description Places where they are signed in.
             */
            sessionCount: number;
        };
        /** @description A person with what only operators see. */
        PersonView: {
            /** Format: uuid */
            _id: string;
            ban?: components["schemas"]["BanView"] | null;
            /** Format: date-time */
            createdAt: string;
            email: string;
            emailVerified: boolean;
            /** @description Whether they can sign in with a password. */
            hasPassword: boolean;
            /** @description `en` or `ko`. */
            language: string;
            name: string;
            /** @description Tells people of one name apart: `#1234`. */
            nameTag: string;
            plan: string;
            profile?: components["schemas"]["AssetView"] | null;
            /** @description `Customer`, and `Admin` for operators. */
            roles: string[];
            /** @description Where else they sign in: `Google`, `Discord`. */
            signInWith: string[];
        };
        /** @description A plan and what it allows. */
        PlanView: {
            /**
             * Format: int64
             * @description Jobs that may wait or run at the same time.
             */
            maxQueuedJobs: number;
            /**
             * Format: int64
             * @description How long one job may run.
             */
            maxRunSeconds: number;
            /**
             * Format: int64
             * @description Credits granted every month.
             */
            monthlyCredits: number;
            /** @example Free */
            name: string;
            /** @description The workers that its jobs may use, the preferred ones first. */
            pools: components["schemas"]["PoolView"][];
            /** @description Whether work may be private after it was public (Stealth Mode). */
            stealthMode: boolean;
            /**
             * Format: int64
             * @description Bytes that uploads may have together.
             */
            storageBytes: number;
            /**
             * Format: int32
             * @description Share of the workers against others who wait at the same time.
             */
            weight: number;
        };
        /** @description A pool of the configuration. */
        PoolName: string;
        /** @description A pool of workers with one price. */
        PoolView: {
            /** Format: int64 */
            creditsPerSecond: number;
            /**
             * @description Class of the machines.
             * @example 24 GB
             */
            gpu: string;
            name: string;
            /** @description What people read. */
            title: string;
        };
        /** @description What a save would give. */
        PreviewView: {
            health: components["schemas"]["AppHealthView"];
            rjsf: components["schemas"]["FormView"];
        };
        /** @description Outputs to publish or to hide. */
        PrivatesBody: {
            ids: string[];
            isPrivate: boolean;
            /**
             * @description Whether others are told what they were made with, the typed texts among it; stays as it is when it is left out, and
             *     is `true` for an output that nobody has changed.
             */
            showsOrigin?: boolean | null;
        };
        /** @description A picture of the caller's. */
        ProfileBody: {
            /**
             * Format: uuid
             * @description An uploaded picture of at most 10 MB; everybody may see it from then on. `null` for none.
             */
            assetId?: string | null;
        };
        /** @description What somebody published. */
        ProfileCountsView: {
            /** Format: int64 */
            images: number;
            /**
             * Format: int64
             * @description Likes of both.
             */
            likes: number;
            /** Format: int64 */
            workflows: number;
        };
        /** @description A person's profile. Nothing in it is private. */
        ProfileView: {
            /** Format: uuid */
            _id: string;
            /** @description By kind: `homepage`, `instagram` (a handle) and `email`, each where there is one. */
            contactPoints: {
                [key: string]: components["schemas"]["ContactPointView"];
            };
            counts: components["schemas"]["ProfileCountsView"];
            /** Format: date-time */
            createdAt: string;
            /** @description Whether the person has left; `name` is a placeholder then. */
            isDeleted?: boolean;
            name: string;
            /** @description Tells people of one name apart: `#1234`. */
            nameTag: string;
            profile?: components["schemas"]["AssetView"] | null;
            socialProfile?: string | null;
        };
        /** @description How far a running job is. */
        ProgressView: {
            /** Format: double */
            max: number;
            nodeId: string;
            nodesDone: number;
            nodesTotal: number;
            /** @description Its title in the graph. */
            nodeTitle: string;
            /**
             * Format: double
             * @description Steps of the node that runs.
             */
            value: number;
        };
        /** @description A prompt in ComfyUI's API format. */
        PromptBody: {
            /** @description `extra_pnginfo` and the like, for the worker. */
            extraData?: Record<string, never> | null;
            /** @description The uploaded asset for each file name in the prompt. */
            files?: {
                [key: string]: string;
            };
            /** @description Node id → node. */
            prompt: Record<string, never>;
            /**
             * @description Refuses the prompt where any of its outputs cannot be made. Otherwise those that can are made, as ComfyUI does,
             *     and `nodeErrors` tells what is wrong with the others.
             */
            strict?: boolean;
        };
        /** @description Inputs and outputs as a save takes them. */
        ProposalView: {
            /** @description Keyed `id.name`. */
            inputs: Record<string, never>;
            /** @description Keyed by node id. */
            outputs: Record<string, never>;
        };
        /** @description The place in the queue. */
        QueueView: {
            etaSeconds?: components["schemas"]["EtaView"] | null;
            /**
             * Format: int64
             * @description Counts from 1; 1001 stands for anything beyond a thousand.
             */
            position: number;
        };
        /** @description Whether requests should be sent to the node, and why not. */
        ReadyView: {
            /** @description `ok`, or what is wrong with it. */
            database: string;
            reason?: string | null;
            /** @description `ok`; `away`, without which a node is ready all the same; or `none` where none is configured. */
            redis: string;
            /** @description `ready`; `draining` where the node is about to stop; else `unavailable`. */
            status: string;
            /** @description `ok`, or `away` where files can be neither stored nor read. */
            storage: string;
        };
        /** @description What is reported, and why. */
        ReportBody: {
            /**
             * Format: uuid
             * @description The workflow, output or comment.
             */
            id: string;
            kind: components["schemas"]["ReportKind"];
            reason: components["schemas"]["ReportReason"];
            /** @description What else there is to say, at most 1000 characters; not empty where the reason is `Other`. */
            text?: string;
        };
        /** @enum {string} */
        ReportKind: "Workflow" | "OutputAsset" | "Comment" | "Asset";
        /** @enum {string} */
        ReportReason: "Spam" | "Sexual" | "Violence" | "Hate" | "Copyright" | "Personal" | "Other";
        /** @description One person's report. */
        ReportView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: date-time
             * @description When it was answered.
             */
            closedAt?: string | null;
            /** Format: date-time */
            createdAt: string;
            reason: components["schemas"]["ReportReason"];
            reporter?: components["schemas"]["UserCard"] | null;
            seen: components["schemas"]["SnapshotView"];
            /** @description What they wrote; may be empty. */
            text: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description From when on. */
        ResendBody: {
            /**
             * Format: date-time
             * @description Events that were put on their way since then.
             */
            since: string;
        };
        /** @description A new password, and the code that allows it. */
        ResetBody: {
            code: string;
            /**
             * Format: password
             * @description 8 to 128 characters.
             */
            password: string;
        };
        /** @description How many things there are. */
        ResourceCountView: {
            /**
             * Format: int64
             * @description Up to 100,000.
             */
            count: number;
            /** @description Whether there may be more than were counted. */
            isMore: boolean;
        };
        /** @description Whether somebody is an admin. */
        RoleBody: {
            isAdmin: boolean;
        };
        /** @description A workflow API to save. A form sent along (`rjsf`) is not looked at: the server makes its own. */
        SaveBody: {
            /**
             * @description Keyed `id.name`. Of each entry `id`, `name` and `nodeName` are needed; what is left out of `adapter` follows
             *     from the node. `adapter.translations` has the words in other languages, by language (`en`, `ko`): `name` of up to
             *     200 characters, `tooltip` of up to 2000, and `options`, which names up to 500 choices by their values with up to
             *     200 characters each.
             */
            inputs: Record<string, never>;
            /** @description Keyed by node id. `translations` has the `name` in other languages, by language, of up to 200 characters. */
            outputs: Record<string, never>;
            /** Format: uuid */
            workflow: string;
        };
        /** @description That notifications were seen, which cannot be taken back. */
        SeenBody: {
            isChecked: boolean;
        };
        /** @description A picture or video among what was reported. */
        SeenPictureView: {
            /** @description `image`, `video`, `audio` or `file`. */
            kind: string;
            /** @description A still picture of a video. */
            posterUrl?: string | null;
            thumbnailUrl: string;
            url: string;
        };
        /** @description A place where somebody is signed in. */
        SessionView: {
            /** Format: uuid */
            _id: string;
            /** @description The address of the network that the session began at. */
            address?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description Whether it is the one that asks. */
            isCurrent: boolean;
            /**
             * Format: date-time
             * @description To ten minutes.
             */
            lastSeenAt: string;
            /** @description What the browser called itself. */
            userAgent?: string | null;
        };
        /** @description Types to be mailed about. */
        SettingsBody: {
            mailedTypes: components["schemas"]["NotificationKind"][];
        };
        /** @description One value that a run had. */
        SettingView: {
            /** @description The form's field; `null` in a raw prompt. */
            field?: string | null;
            /** @description What a choice is called. */
            label?: string | null;
            title: string;
            translations?: components["schemas"]["ByLanguageView_SettingWordsView"] | null;
            /** @description `null` for a picture that went in, to all but whose it is. */
            value?: unknown;
            /** @description How a form shows it: `toggle`, `image`, `seed`, `model`, `range`, `select`, `text` or `textarea`. */
            widget: string;
        };
        /** @description With whom to share what. */
        ShareBody: {
            userEmail: string;
            /** Format: uuid */
            workflowApiId: string;
        };
        /** @description A mini app that is shared with the caller. */
        SharedApiView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            owner: components["schemas"]["SharerView"];
            workflowApi: components["schemas"]["SharedAppView"];
        };
        /** @description The app, with the name of its workflow. */
        SharedAppView: {
            /** Format: uuid */
            _id: string;
            name: string;
        };
        /** @description A person as whoever shares with them knows them. */
        SharedUserView: {
            /** Format: uuid */
            _id: string;
            email: string;
            name: string;
        };
        /** @description Whose app it is. */
        SharerView: {
            /** Format: uuid */
            _id: string;
            name: string;
        };
        /** @description Somebody whom a mini app is shared with. */
        ShareView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            sharedUser: components["schemas"]["SharedUserView"];
        };
        /** @description A session of somebody's, by the address of the network that it began at. */
        SightingView: {
            /** Format: uuid */
            _id: string;
            address?: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description To ten minutes.
             */
            lastSeenAt: string;
            user?: components["schemas"]["UserCard"] | null;
            /** @description What the browser called itself. */
            userAgent?: string | null;
        };
        /** @description An e-mail address and its password. */
        SignInBody: {
            email: string;
            /** Format: password */
            password: string;
        };
        /** @description The ways to sign in beside address and password. */
        SignInOptionsView: {
            discord: boolean;
            google: boolean;
        };
        /** @description What somebody fills in to become a user. */
        SignUpBody: {
            /** @example ann@example.com */
            email: string;
            language?: components["schemas"]["LanguageTag"] | null;
            /** @description 2 to 20 characters. */
            name: string;
            /**
             * Format: password
             * @description 8 to 128 characters.
             */
            password: string;
            privacyAccepted?: boolean;
            termsAccepted?: boolean;
        };
        /** @description The code of a mail, and the sign-up that it finishes. */
        SignUpCodeBody: {
            /**
             * @description Six digits; spaces and hyphens are left out.
             * @example 204913
             */
            code: string;
            /** Format: uuid */
            signUp: string;
        };
        /** @description A thing as it was at some time. */
        SnapshotView: {
            /** @description A description or a comment, as text. */
            content: string;
            picture?: components["schemas"]["SeenPictureView"] | null;
            /** @description A workflow's name; empty for other things. */
            title: string;
        };
        /** @description What the browser came back with. */
        SocialBody: {
            /** @description The provider's code. Left out by somebody who had only the terms to agree to. */
            code?: string | null;
            language?: components["schemas"]["LanguageTag"] | null;
            privacyAccepted?: boolean;
            state: string;
            termsAccepted?: boolean;
        };
        /** @description How many came into being in each period. */
        StatsView: {
            /** @description The oldest period first; those without anything are there too. */
            items: components["schemas"]["PeriodView"][];
            /** Format: int64 */
            total: number;
        };
        /** @description What a waiting page asks for every two seconds. */
        StatusView: {
            /** Format: uuid */
            _id: string;
            /** @description `exception_message`, `exception_type`, `node_id`, `node_type`, `traceback`. */
            executeException?: unknown;
            /** @description ComfyUI's `node_errors` of outputs that were left out because they cannot be made. */
            nodeErrors?: unknown;
            progress?: components["schemas"]["ProgressView"] | null;
            queue?: components["schemas"]["QueueView"] | null;
            /** @description One of the 15 statuses: `Pending`, `Running`, `Done`, …. */
            status: string;
            /** @description `message`, and ComfyUI's `error` and `node_errors`. */
            validateException?: unknown;
        };
        /** @description An accepted job. */
        SubmittedView: {
            /** Format: uuid */
            _id: string;
            /**
             * @description What is wrong with outputs that are left out, as ComfyUI's `node_errors`: node id → `errors`,
             *     `dependent_outputs`, `class_type`. Empty where everything is made.
             */
            nodeErrors: Record<string, never>;
            /** @description The seeds that were drawn for fields given as -1. */
            seeds: Record<string, never>;
            status: string;
            /** @description How many connected workers can run it; `null` where an earlier request with the same key had made it. */
            workers?: number | null;
        };
        /** @description A plan that somebody has. */
        SubscriptionView: {
            /** @example Free */
            name: string;
        };
        /** @description A mini app that fits a wish, and why. */
        SuggestedView: {
            app: components["schemas"]["WorkflowView"];
            /** @description Whether it draws what is described. */
            drawsWords: boolean;
            /** @description The words of the wish that stand in its name, its tags, its choices or what it says of itself. */
            words: string[];
        };
        /** @description Mini apps for a wish. */
        SuggestionsView: {
            /** @description Pools whose workers could draw what is described, given an app that asks them to. */
            drawingPools: string[];
            /** @description The best first; empty where nothing fits. */
            fitting: components["schemas"]["SuggestedView"][];
            /** @description What people look at most. */
            others: components["schemas"]["WorkflowView"][];
            /** @description Apps that would draw what is described, and that no worker can run as things are. */
            waiting: components["schemas"]["WorkflowView"][];
        };
        /** @description What of a tag shall change. */
        TagChangesBody: {
            name?: string | null;
            nameKo?: string | null;
            /**
             * Format: uuid
             * @description A tag of depth 0; `null` makes a root of it.
             */
            parentTag?: string | null;
        };
        /** @description The tag that is left of two. */
        TagMergeBody: {
            /** Format: uuid */
            into: string;
        };
        /** @description An order of the tags of one parent. */
        TagOrderBody: {
            /** @description Each tag of this parent, once. */
            ids: string[];
            /**
             * Format: uuid
             * @description `null` or left out for the roots.
             */
            parentTag?: string | null;
        };
        /** @description What the sentence of a notification names. */
        TitleView: {
            /** Format: int64 */
            count?: number | null;
            /** @description The workflow's name as it was then, or a notice's title. */
            workflow?: string | null;
        };
        /** @description Unread notifications of a type, and how many pages there are of it. */
        TypeCountView: {
            /**
             * Format: int64
             * @description Unread; 1000 stands for that many or more.
             */
            count: number;
            pagination?: components["schemas"]["Pagination"] | null;
            type: string;
        };
        /** @description A file, text or value of a node that the job could not deliver as it was made. */
        UndeliveredView: {
            /**
             * @description What programs switch on: `FILE_REFUSED`, `FILE_MISSING`, `FILE_EMPTY`, `FILE_CUT_OFF`, `FILE_TOO_LARGE`,
             *     `TOO_MANY_FILES`, `FILE_NOT_STORED`, `WORKER_ERROR`, `NOT_IN_TIME`; `TEXT_CUT` (the beginning is delivered),
             *     `TOO_MANY_TEXTS`, `VALUE_NOT_SHOWN` (neither a text nor a number nor a file), `VALUE_TOO_LARGE`.
             */
            code: string;
            /** @description How many pieces the note stands for. */
            count: number;
            /** @description One sentence; its wording may change. */
            message: string;
            /** @description The file's name, or the key of the node's output; empty where the note stands for several. */
            name: string;
            nodeId: string;
        };
        /** @description A task that is done in the background, and its last round. */
        UpkeepTaskView: {
            /**
             * Format: int64
             * @description Things that a round does at most, where that is bounded; the next one follows at once where there are more.
             */
            batch?: number | null;
            /**
             * Format: int64
             * @description A round that takes longer is given up.
             */
            deadlineSeconds: number;
            /**
             * Format: int64
             * @description Things that the last round did.
             */
            done: number;
            /** Format: date-time */
            dueAt?: string | null;
            /** Format: date-time */
            endedAt?: string | null;
            /** @description Why the last round failed. */
            error?: string | null;
            /**
             * Format: int64
             * @description From the end of a round to the begin of the next.
             */
            everySeconds: number;
            /**
             * Format: int32
             * @description Rounds in a row that failed.
             */
            failures: number;
            isRunning: boolean;
            /** @example orphaned_files */
            name: string;
            /**
             * Format: uuid
             * @description The node that did the last round, or does it; null before the first one.
             */
            node?: string | null;
            /** Format: date-time */
            startedAt?: string | null;
        };
        /** @description A picture and what to call it. */
        UploadForm: {
            /**
             * Format: binary
             * @description The file.
             */
            image: string;
            /** @description `{"name": "…", "kind": "Image"}`; the parts `name` and `kind` alone are accepted too. */
            json?: string | null;
        };
        /** @description A person as others see them. */
        UserCard: {
            /** Format: uuid */
            _id: string;
            /** @description Whether the person has left; `name` is a placeholder then, which pages show in the reader's language. */
            isDeleted?: boolean;
            name: string;
            profile?: components["schemas"]["AssetView"] | null;
            socialProfile?: string | null;
        };
        /** @description What of the caller's account shall change; what is left out stays as it is. */
        UserChangesBody: {
            language?: components["schemas"]["LanguageTag"] | null;
            /** @description 2 to 20 characters. */
            name?: string | null;
            /**
             * Format: uuid
             * @description An uploaded picture of at most 10 MB; `null` for none.
             */
            profile?: string | null;
        };
        /** @description The person who is signed in. */
        UserView: {
            /** Format: uuid */
            _id: string;
            ban?: components["schemas"]["BanView"] | null;
            /** Format: date-time */
            createdAt: string;
            credits: components["schemas"]["BalanceView"];
            email: string;
            /** @description Whether the person has shown that they read the address. */
            emailVerified: boolean;
            /** @description Whether they can sign in with a password. */
            hasPassword: boolean;
            /** @description `en` or `ko`. */
            language: string;
            name: string;
            /** @description Tells people of one name apart: `#1234`. */
            nameTag: string;
            profile?: components["schemas"]["AssetView"] | null;
            /** @description `Customer`, and `Admin` for operators. */
            roles: string[];
            /** @description Where else they sign in: `Google`, `Discord`. */
            signInWith: string[];
            /** @description Always `null`: pictures of sign-in providers are taken over as `profile`, because pages load no others' pictures. */
            socialProfile?: string | null;
            /** @description The first one's name is the plan. */
            subscriptions: components["schemas"]["SubscriptionView"][];
        };
        /** @description What of a video shall change. */
        VideoChangesBody: {
            /** @description 1 to 200 characters; holds until YouTube is asked again. */
            name?: string | null;
            /** Format: date-time */
            youtubeCreatedAt?: string | null;
        };
        /** @description A film and what to call it. */
        VideoForm: {
            /** @description `{"name": "…", "kind": "Video"}` */
            json?: string | null;
            /**
             * Format: binary
             * @description The file.
             */
            video: string;
        };
        /** @description A video at YouTube that admins picked. */
        VideoView: {
            /** Format: uuid */
            _id: string;
            /** @description The channel. */
            author_name: string;
            /** @description The channel's address at YouTube. */
            authorUrl?: string | null;
            /**
             * Format: date-time
             * @description When YouTube was asked last.
             */
            checkedAt: string;
            /** Format: date-time */
            createdAt: string;
            /** @description What the frame of `html` shows. */
            frameUrl: string;
            /** @description A frame of ours, on the host that sets no cookies; nothing of it comes from YouTube but the checked id. */
            html: string;
            /** @description Whether YouTube still gives it to others. Those that it does not are shown to admins alone. */
            isAvailable: boolean;
            name: string;
            poster?: components["schemas"]["AssetView"] | null;
            /** @description The page at YouTube. */
            url: string;
            /** Format: date-time */
            youtubeCreatedAt: string;
            /** @description YouTube's id: eleven letters, digits, `-` and `_`. */
            youtubeId: string;
        };
        /** @description A word to somebody. */
        WarningBody: {
            /** @description 1 to 1000 characters. */
            text: string;
        };
        /** @description Where the browser goes. */
        WayInView: {
            /** @description The provider's page, which sends the browser back to `/login/google` or `/login/discord`. */
            url: string;
        };
        /** @description A webhook to make. Both names of the events are read. */
        WebhookBody: {
            name: string;
            /** @description Ids of events, as `job.done`. */
            webhookEventIds: components["schemas"]["WebhookEventWord"][];
            /** @description https, which is advised, http or ftp. By ftp each event becomes a file `{messageId}.json` in the folder. */
            webhookUrl: string;
        };
        /** @description What is to change; what is left out stays. Both names of the events are read. */
        WebhookChangeBody: {
            /** @default null */
            name: string | null;
            /**
             * @description Ids of events, as `job.done`.
             * @default null
             */
            webhookEvents: components["schemas"]["WebhookEventWord"][] | null;
            /** @default null */
            webhookUrl: string | null;
        };
        /** @description Where events are brought to. */
        WebhookConfigView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            disabledAt?: string | null;
            /** @description `gone`, where the receiver answered 410, or `failing`, where nothing reached it for three days. */
            disabledReason?: string | null;
            /** Format: date-time */
            failingSince?: string | null;
            isActive: boolean;
            lastAttempt?: components["schemas"]["LastAttemptView"] | null;
            name: string;
            /** @description What signs the messages. It is told here once, when the webhook is made. */
            secret?: string | null;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: int64
             * @description Events that are still to be brought; 1000 stands for more.
             */
            waiting: number;
            webhookEvents: components["schemas"]["WebhookEventView"][];
            webhookUrl: string;
            /**
             * Format: uuid
             * @description `null`: all jobs of the account.
             */
            workflowApi?: string | null;
        };
        /** @description The event of an attempt. */
        WebhookEventEmbedView: {
            name: string;
        };
        /** @description An event that can be chosen. */
        WebhookEventView: {
            /** @description What is sent to choose it. */
            _id: string;
            /** @description One sentence. */
            description: string;
            name: string;
        };
        /** @enum {string} */
        WebhookEventWord: "job.created" | "job.started" | "job.progress" | "job.done" | "job.failed" | "job.canceled" | "batch.finished" | "workflow_api.saved" | "workflow_api.deleted";
        /** @description The delivery that is tried. */
        WebhookGroupView: {
            /**
             * Format: uuid
             * @description `groupId` of its attempts in the history.
             */
            groupId: string;
        };
        /** @description A page of the history. */
        WebhookHistoryPage: {
            data: components["schemas"]["WebhookHistoryView"][];
            pagination: components["schemas"]["MorePages"];
        };
        /** @description One attempt to bring an event. */
        WebhookHistoryView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            attemptAt: string;
            /**
             * Format: int32
             * @description Counts from 1.
             */
            attemptNumber: number;
            /**
             * Format: int32
             * @description How often it was tried so far; ten times is the most.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When the event was put on its way.
             */
            createdAt: string;
            /** @description Why there was no answer. */
            error?: string | null;
            /**
             * Format: uuid
             * @description All attempts at one event have the same.
             */
            groupId: string;
            /** Format: uuid */
            job?: string | null;
            /**
             * Format: date-time
             * @description When it is tried again by itself.
             */
            nextAttemptAt?: string | null;
            /** @description What was sent: JSON as text. */
            payload: string;
            /** Format: date-time */
            respondedAt?: string | null;
            /** @description The first 4 KiB of what was answered, as text. */
            response: string;
            /**
             * Format: int32
             * @description What the receiver answered, by HTTP or by ftp.
             */
            responseStatus?: number | null;
            /** @description `Success` or `Failed`. */
            status: string;
            webhookEventEmbed: components["schemas"]["WebhookEventEmbedView"];
        };
        /** @description How many are tried again. */
        WebhookResentView: {
            /** Format: int64 */
            count: number;
        };
        /** @description A secret that signs from now on. */
        WebhookSecretView: {
            /**
             * Format: date-time
             * @description Until when the one before signs too.
             */
            oldUntil: string;
            secret: string;
        };
        /** @description What a job waits for. */
        WhyView: {
            /**
             * @description What programs switch on: `NEXT`, `WORKERS_BUSY`, `OWN_JOBS_AHEAD`, `OTHER_JOBS_AHEAD`, `NO_WORKER`,
             *     `WORKERS_AWAY`, `WORKERS_KEPT_OUT`, `MISSING_CAPABILITY`, `RETRY_PAUSE`, `STOPPING`, `STARTING`,
             *     `STORAGE_AWAY`, `QUEUED_AT_WORKER`, `RUNNING`, `RUNNING_ON_LAST_CREDITS`, `ENDED`.
             */
            code: string;
            /** @description The numbers and names in the sentence. */
            details: Record<string, never>;
            /** @description One sentence; its wording may change. */
            message: string;
            /** @description What would let it go on. */
            releasedBy: string;
        };
        /** @description The connection of a worker's agent. */
        WorkerAgentView: {
            connected: boolean;
            /** @description What is with its server, in the agent's words. */
            note?: string | null;
        };
        /** @description A worker to connect to. */
        WorkerBody: {
            /** @description Of this name there is one; adding it again changes its address and pool. */
            name: string;
            /** @description A pool of the configuration. */
            pool: string;
            /**
             * @description The ComfyUI server's base address.
             * @example http://10.0.0.5:8188
             */
            url: string;
        };
        /** @description One ComfyUI server. */
        WorkerView: {
            /** Format: uuid */
            _id: string;
            agent?: components["schemas"]["WorkerAgentView"] | null;
            /**
             * @description Node classes that it describes otherwise than most workers, with other inputs or outputs: it may have another
             *     version, or be tampered with. A prompt with such a class is judged by the worker that runs it.
             */
            differentClasses: string[];
            draining: boolean;
            /**
             * Format: uuid
             * @description The job it runs.
             */
            job?: string | null;
            name: string;
            /**
             * Format: uuid
             * @description The node that connects to it; none while no living node has taken it.
             */
            node?: string | null;
            /** @description How many node classes it has. */
            nodeClasses: number;
            /** @description What that node is called. */
            nodeName?: string | null;
            paused: boolean;
            pool: string;
            /** @description Why it is not idle. */
            reason?: string | null;
            /** @description `Connecting`, `Idle`, `Busy`, `Draining`, `Paused` or `Gone`. */
            state: string;
            /**
             * Format: date-time
             * @description Since when it answers no question about the job that it runs. After `jobs.silent_seconds` the job is tried elsewhere.
             */
            unansweredSince?: string | null;
            url: string;
            version?: string | null;
        };
        /** @description Workflows that do not work for the time being, and what is said about them. */
        WorkflowAlertView: {
            text: components["schemas"]["BilingualView"];
            title: components["schemas"]["BilingualView"];
            /** @description Ids of workflows or of the mini apps on them. */
            workflows: string[];
        };
        /** @description A mini app with everything that its form needs. */
        WorkflowApiView: {
            /** Format: uuid */
            _id: string;
            /** @description Without `problems` for those whom the app is shared with. */
            health: components["schemas"]["AppHealthView"];
            /**
             * Format: uuid
             * @description The same once more, as the specification has it.
             */
            id: string;
            /**
             * @description Keyed `id.name`; each input with its adapter. Left out for those who see the app because it is shared with them:
             *     they are not told of its graph.
             */
            inputs?: unknown;
            /** @description Keyed by node id. */
            outputs: unknown;
            /**
             * @description The form, made by the server. Where a field has words in other languages, they stand in its
             *     `ui:options.translations` by language: `title`, `description` and `enumNames`.
             */
            rjsf: components["schemas"]["FormView"];
            /** Format: date-time */
            updatedAt: string;
            workflow: components["schemas"]["WorkflowCard"];
            works: components["schemas"]["WorksView"];
        };
        /** @description What a mini app or a job tells of its workflow. */
        WorkflowCard: {
            /** Format: uuid */
            _id: string;
            cover?: components["schemas"]["AssetView"] | null;
            description?: string | null;
            name: string;
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            user?: components["schemas"]["UserCard"] | null;
        };
        /** @description A workflow's graph, as `select=prompt name` asks for it. */
        WorkflowGraphView: {
            /** Format: uuid */
            _id: string;
            name: string;
            /** @description A JSON text: `{"workflow": UI format or null, "output": API format or null}`. */
            prompt: string;
        };
        /** @description A workflow to like. */
        WorkflowLikeBody: {
            /** Format: uuid */
            id: string;
        };
        /** @description Workflows to publish or to hide. */
        WorkflowPrivatesBody: {
            ids: string[];
            isPrivate: boolean;
        };
        /** @description A tag as workflows show it. */
        WorkflowTagCard: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: int32
             * @description 0 for tags without a parent: these are searched as `parentTag`, others as `childrenTag`.
             */
            depth: number;
            name: string;
            /** @description In Korean. */
            nameKo: string;
            /**
             * Format: uuid
             * @description The parent's id.
             */
            parentTag?: string | null;
        };
        /** @description A tag with how much it is used, for admins. */
        WorkflowTagUseView: components["schemas"]["WorkflowTagCard"] & {
            /**
             * Format: int64
             * @description Those of them that are published.
             */
            published: number;
            /**
             * Format: int64
             * @description Workflows that carry it or a tag below it, also drafts.
             */
            workflows: number;
        };
        /** @description A tag with its place in the tree. */
        WorkflowTagView: {
            /** Format: uuid */
            _id: string;
            childrenTags: components["schemas"]["WorkflowTagCard"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: int32 */
            depth: number;
            name: string;
            /** @description In Korean. */
            nameKo: string;
            parentTag?: components["schemas"]["WorkflowTagCard"] | null;
        };
        /** @description A workflow without its graph. */
        WorkflowView: {
            /** Format: uuid */
            _id: string;
            cover?: components["schemas"]["AssetView"] | null;
            /** Format: date-time */
            createdAt: string;
            /** @description HTML, cleaned by the server. Lists give only its beginning. */
            description: string;
            /** Format: date-time */
            editedAt: string;
            /** @description Whether admins put it among the basic workflows. */
            isBasic: boolean;
            isLiked: boolean;
            isNsfw: boolean;
            isPrivate: boolean;
            /** Format: int64 */
            launchCount: number;
            /** Format: int64 */
            likeCount: number;
            /** @description The asker's own id, where they like it: of the others only the count is told. */
            likes: string[];
            /** @description What the mini app makes: `image`, `video`, `audio`, `text` or `file`. */
            makes: string[];
            name: string;
            /** Format: date-time */
            publishedAt?: string | null;
            /** @description What the mini app takes beside its dials: `image`, `video`, `audio`, and `text` for words that are drawn. */
            takes: string[];
            /** @description The gallery. Lists give only the cover. */
            thumbnails: components["schemas"]["AssetView"][];
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            user?: components["schemas"]["UserCard"] | null;
            /** Format: int64 */
            viewCount: number;
            /**
             * Format: uuid
             * @description The mini app on it; its presence makes the workflow an "easy app".
             */
            workflowApi?: string | null;
            /** @description Whether some worker can run the mini app as things are; `null` while that is not known. */
            workflowApiWorks?: boolean | null;
            workflowTags: components["schemas"]["WorkflowTagCard"][];
        };
        /** @description Whether some worker can run the app as things are. */
        WorksView: {
            /**
             * Format: date-time
             * @description When that was found out; `null` before the first time.
             */
            checkedAt?: string | null;
            /** @description What no worker has, up to twenty of each kind. Empty for those whom the app is shared with. */
            missing: components["schemas"]["MissingView"];
            /** @description `null` while that is not known: nobody is connected, or those who have what it needs are away. */
            ok?: boolean | null;
        };
        /** @description Outputs to download. */
        ZipBody: {
            /** @description At most 500. */
            ids: string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

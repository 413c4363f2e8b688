// Made by `npm run api` from http/openapi.json. Do not edit.

export interface paths {
    "/api/admin/agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Connected and known agents, and their machines */
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
        /** The tokens of agents, without their secrets */
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
        /** Creates a token for agents; it is shown only in this response */
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
        /** Revokes a token; its agents are disconnected within seconds */
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
        /** Allows a token's agents whose workers were removed to connect again */
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
        /** Actions of admins, newest first (admins only) */
        get: {
            parameters: {
                query?: {
                    action?: components["schemas"]["AuditAction"];
                    /** @description The admin who acted. */
                    admin?: string;
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Inclusive. */
                    from?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description The object, or its owner. */
                    target?: string;
                    /** @description Exclusive. */
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
        /** All basic workflows in their order, including hidden ones */
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
        /** Reorders the basic workflows */
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
         * All comments, newest first, including hidden ones (admins only)
         * @description A call reads some thousands of comments: a page may be empty although the list continues.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description A word in the text; parts of words are enough. */
                    keyword?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description The author. */
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
    "/api/admin/coupon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Coupons, newest first (admins only) */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Both by default. */
                    isActive?: boolean;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description A part of the name, or a whole code. */
                    search?: string;
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
                        "application/json": components["schemas"]["Cursor_CouponView"];
                    };
                };
            };
        };
        put?: never;
        /** Creates a coupon with its codes (admins only) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CouponBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CouponView"];
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
    "/api/admin/coupon/{id}": {
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
         * Changes a coupon (admins only)
         * @description A coupon that is not active can no longer be redeemed. What was redeemed stays.
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
                    "application/json": components["schemas"]["CouponChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CouponView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/coupon/{id}/code.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The codes of a coupon as a CSV file (admins only)
         * @description The columns are `code,usedAt,usedBy`; `usedBy` is an e-mail address. A shared code has one line without a use.
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
                /** @description A file with a line per code */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
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
    "/api/admin/coupon/{id}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The uses of a coupon, newest first (admins only) */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
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
                        "application/json": components["schemas"]["Cursor_CouponRedemptionView"];
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
    "/api/admin/credit/debit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes credits of one grant back (admins only)
         * @description All or nothing. Credits that jobs hold are not taken. The refund of an order takes its credits back.
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
                    "application/json": components["schemas"]["DebitBody"];
                };
            };
            responses: {
                /** @description The person's balance after it */
                200: {
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
    "/api/admin/credit/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Grants credits to a user (admins only) */
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
    "/api/admin/generator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All generators with their licences, and the model files of the workers; for admins */
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
                        "application/json": components["schemas"]["GeneratorPageView"];
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
    "/api/admin/generator/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Says what a model file of the workers is; for admins
         * @description Generators for it follow within a minute.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ModelWordBody"];
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
        /** Lets header and name of a model file decide again what it is; for admins */
        delete: {
            parameters: {
                query: {
                    file: string;
                    folder: string;
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
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/item": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items of the shop, newest first (admins only) */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
                        "application/json": components["schemas"]["Cursor_AdminShopItemView"];
                    };
                };
            };
        };
        put?: never;
        /** Adds an item to the shop (admins only) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ShopItemBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminShopItemView"];
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
    "/api/admin/item/{id}": {
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
         * Changes an item (admins only)
         * @description An item that is not active is not offered. Orders keep what they bought.
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
                    "application/json": components["schemas"]["ShopItemChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminShopItemView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everybody's jobs, newest first (admins only)
         * @description A page reads at most 10,000 jobs. Where fewer of them match than the page has room for, also where none does,
         *     `nextCursor` goes on behind them, and `searched` says how far back the page read. `nextCursor` is `null` after the
         *     last job.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /**
                     * @description Only jobs that failed with a node's exception of this type.
                     * @example RuntimeError
                     */
                    exception?: string;
                    /**
                     * @description The first day, in UTC.
                     * @example 2026-01-01
                     */
                    from?: string;
                    /** @description Only jobs with this label: `key=value`. */
                    label?: string;
                    /** @description All by default. */
                    lane?: "interactive" | "api" | "training" | "flex";
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description Only jobs of this pool. */
                    pool?: string;
                    /** @description All by default. */
                    priceClass?: "standard" | "flex";
                    /** @description Only jobs in one of these statuses, separated by commas. */
                    status?: string;
                    /**
                     * @description The last day, inclusive. Not before `from`.
                     * @example 2026-01-31
                     */
                    until?: string;
                    /** @description Only jobs of this account. */
                    user?: string;
                    /** @description Only jobs whose last worker was this one. */
                    worker?: string;
                    /** @description Only jobs of this mini app, in any version. */
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
                        "application/json": components["schemas"]["AnyJobsView"];
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description All kinds by default. */
                    kind?: components["schemas"]["ReportKind"];
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description `newest` (the default, by the last report) or `mostReported`. */
                    sort?: "newest" | "mostReported";
                    /** @description All states by default. */
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
        /** A case with its reports, the current state of the object, and its author's history */
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
         * @description Object, author, reporters and audit log are updated together. A hidden object is private, and its author cannot
         *     publish it until the case is restored.
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
        /** Publishes a notice to all users */
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
        /** Deletes a notice from all boxes */
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
    "/api/admin/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everybody's orders, newest first (admins only)
         * @description With what users were given by coupons and by admins, as `type` says.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /**
                     * @description The first day, in UTC.
                     * @example 2026-01-01
                     */
                    from?: string;
                    /** @description All by default. */
                    kind?: "Credit" | "Subscription";
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description All by default. */
                    provider?: "Test" | "PayPal" | "TossPayments" | "Coupon" | "Free";
                    /** @description A part of the buyer's e-mail address, or the id of an order. */
                    search?: string;
                    /** @description All by default. */
                    status?: "Ready" | "Paid" | "Canceled" | "Failed" | "Refunded";
                    /** @description All by default. */
                    type?: "Payment" | "Coupon" | "Free";
                    /**
                     * @description The last day, inclusive. Not before `from`.
                     * @example 2026-01-31
                     */
                    until?: string;
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
                        "application/json": components["schemas"]["Cursor_AdminOrderView"];
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
    "/api/admin/order.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everybody's orders as a CSV file, newest first (admins only)
         * @description The columns are `id,createdAt,user,item,credits,amount,currency,provider,status,refundedAmount,paidAt,listAmount,
         *     percentOff,couponCode,bonusCredits,type`. Amounts are in the smallest unit of the currency; `amount` is what is charged.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The first day, in UTC.
                     * @example 2026-01-01
                     */
                    from?: string;
                    /** @description All by default. */
                    kind?: "Credit" | "Subscription";
                    /** @description All by default. */
                    provider?: "Test" | "PayPal" | "TossPayments" | "Coupon" | "Free";
                    /** @description A part of the buyer's e-mail address, or the id of an order. */
                    search?: string;
                    /** @description All by default. */
                    status?: "Ready" | "Paid" | "Canceled" | "Failed" | "Refunded";
                    /** @description All by default. */
                    type?: "Payment" | "Coupon" | "Free";
                    /**
                     * @description The last day, inclusive. Not before `from`.
                     * @example 2026-01-31
                     */
                    until?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A file with a line per order */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
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
    "/api/admin/order/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Anybody's order, with what is left of its credits (admins only) */
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
                        "application/json": components["schemas"]["AdminOrderView"];
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
    "/api/admin/order/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refunds an order in part or as a whole (admins only)
         * @description The credits are taken back first. If the provider refuses the refund, they return. Bonus credits are taken back in
         *     proportion to the amount, rounded down; with the rest of the money, all that are left.
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
                    "application/json": components["schemas"]["RefundBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminOrderView"];
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
    "/api/admin/promotion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Promotions, newest first (admins only) */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
                        "application/json": components["schemas"]["Cursor_PromotionView"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Creates a promotion (admins only)
         * @description Of several active banners the newest one is shown, of several bonuses the largest is given.
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
                    "application/json": components["schemas"]["PromotionBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PromotionView"];
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
    "/api/admin/promotion/{id}": {
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
         * Changes a promotion (admins only)
         * @description A promotion that is not active is not offered. Orders keep the bonus that they were promised.
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
                    "application/json": components["schemas"]["PromotionChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PromotionView"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/admin/requirement-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The node classes and models that users have requested, the most requested first: at most 500 */
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
                        "application/json": components["schemas"]["Items_RequestedRequirementView"];
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
    "/api/admin/requirement-request/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a request and all others for the same class or model */
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
    "/api/admin/revenue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was paid and paid back over time, by provider, currency and kind (admins only)
         * @description A payment counts when it was taken, and a refund when the provider gave the money back. Payments of the test provider
         *     move no money.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The first day, in UTC. By default 29 days before the last one.
                     * @example 2026-01-01
                     */
                    from?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. At most 400 of them. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    until?: string;
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
                        "application/json": components["schemas"]["RevenueView"];
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
    "/api/admin/revenue.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was paid and paid back over time, as a CSV file (admins only)
         * @description The columns are `period,provider,currency,kind,orders,paid,refunded,net`. Amounts are in the smallest unit of the
         *     currency.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The first day, in UTC. By default 29 days before the last one.
                     * @example 2026-01-01
                     */
                    from?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. At most 400 of them. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    until?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A file with a line per row */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
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
    "/api/admin/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions of all users with their addresses, newest first (admins only) */
        get: {
            parameters: {
                query?: {
                    /** @description The whole IP address that they started at. */
                    address?: string;
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
    "/api/admin/simple-app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The apps that operators bind to the fixed addresses; for admins */
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
                        "application/json": components["schemas"]["Items_SimpleAppBindingView"];
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
    "/api/admin/simple-app/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Binds a published mini app to a fixed address; for admins
         * @description It counts before the app of the configuration.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description `background-remover`, `face-swap` or `image-to-prompt` */
                    address: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SimpleAppBody"];
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
        /** Lets the configuration and the generators decide again which app a fixed address has; for admins */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description `background-remover`, `face-swap` or `image-to-prompt` */
                    address: string;
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
    "/api/admin/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Subscriptions, newest first (admins only) */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /**
                     * @description The day of a charge that is planned, was paid or failed, or of the end of a canceled one; in UTC.
                     * @example 2026-01-01
                     */
                    day?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description A part of the user's e-mail address, or the id of a subscription. */
                    search?: string;
                    /** @description All by default. */
                    status?: "Pending" | "Active" | "PastDue" | "Ended";
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
                        "application/json": components["schemas"]["Cursor_AdminSubscriptionView"];
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
    "/api/admin/subscription/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a subscription at once (admins only)
         * @description Nothing is given back: refund its order for that.
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
                    "application/json": components["schemas"]["SubscriptionEndBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminSubscriptionView"];
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
    "/api/admin/subscription/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is charged on each day of a month (admins only) */
        get: {
            parameters: {
                query: {
                    /**
                     * @description The month, in UTC.
                     * @example 2026-01
                     */
                    month: string;
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
                        "application/json": components["schemas"]["SubscriptionCalendarView"];
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
        /** All background tasks, and their last runs */
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
        /** Runs a task now; if it is running, once more after that */
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
        /** Users, newest first (admins only) */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description A part of the name or the e-mail address, or the whole id. */
                    keyword?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
        /** A user with credits, sessions and moderation history (admins only) */
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
         * Bans a user, replacing an earlier ban (admins only)
         * @description A banned user can read but not take part: ACCOUNT_BANNED tells them until when and why.
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
        /** Lifts a user's ban (admins only) */
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
        /** Confirms a user's e-mail address on an admin's word (admins only) */
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
    "/api/admin/user/{id}/money": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A user's plan, credits and newest orders (admins only) */
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
                        "application/json": components["schemas"]["PersonMoneyView"];
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
    "/api/admin/user/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Gives a user a plan, for a time or without an end (admins only)
         * @description It holds for what is submitted from then on, and its credits of this month are granted on top of what the user has.
         *     Another given plan is replaced.
         */
        put: {
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
                    "application/json": components["schemas"]["GivePlanBody"];
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
        post?: never;
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
         * Makes a user an admin, or removes the role (admins only)
         * @description At least one admin remains, and admins cannot remove their own role.
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
        /** Warns a user by a notification (admins only) */
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
        /** All workers and their states */
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
        /** Removes a worker; its running job is retried elsewhere */
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
        /** Lets a worker finish its job, then gives it no more */
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
        /** Takes a worker out of service, also after a restart */
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
        /** Reads a worker's nodes and models again, which otherwise happens every few minutes */
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
        /** Puts a drained or paused worker back into service */
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
        /** All tags in their order, with the number of workflows of each */
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
        /** Adds a tag as the last child of its parent */
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
        /** Deletes an unused tag */
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
        /** Changes a tag's names or parent */
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
        /** Replaces this tag by another one on all workflows, and deletes it */
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
        /** Reorders one parent's tags, or the roots */
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
        /** Adds a video; title, channel and preview come from YouTube */
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
        /** Removes a video from the list */
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
        /** Changes title or date of a video */
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
        /** Refreshes title, channel, preview and availability from YouTube */
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
        /** Community videos, including those that are no longer available on YouTube */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description `{"author_name": "…"}`, as a JSON text: the videos of one channel. */
                    filter?: string;
                    /** @description Words in title or channel; parts of words are enough. */
                    keyword?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description `newest` (the default) or `oldest`, by publication date. */
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
         * The signed-in user
         * @description Sets the cookie XSRF-TOKEN if it does not match the session; for guests too. With `guest=null` a guest gets `null`
         *     instead of an error.
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
        /** Signs the user in */
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
        /** Signs the browser out; harmless without a session */
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
         * @description Deletes name, address, keys, sessions, private pictures, uploads and workflows; credits are forfeited. Published
         *     content stays, by "Deleted user".
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
        /** The caller's signed identity for the support chat */
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
         * All data about the caller, as one JSON document
         * @description Profile, keys (without their secrets), sessions, credits, redeemed coupons, jobs, workflows with their graphs,
         *     pictures and uploads with their addresses. At most six times an hour.
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
        /** Completes the connection: the caller can sign in with the provider from now on */
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
        /** Starts connecting the caller's account with Google or Discord; sets a cookie as sign-in does */
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
        /** Sets a new password, or the first one; ends all other sessions */
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
        /** Sets the caller's profile picture */
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
        /** The caller's sessions, the most recently used first */
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
        /** Ends all of the caller's sessions but this one */
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
        /** Ends one of the caller's sessions */
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
                        "application/json": components["schemas"]["SubscriptionPlanView"];
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
        /** Mails a link to reset the password; the response is the same for unknown addresses */
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
        /** Sets a new password by the mailed code, ends all other sessions, and signs in */
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
        /** Completes a sign-in with Discord; answers as with Google */
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
                /** @description The same, for a new user */
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
        /** Starts a sign-in with Discord; sets a cookie that identifies the browser when it returns */
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
         * Creates a user and signs them in
         * @description Where the installation sends mail, known and new addresses get the same answer, 202. A new address is mailed a code
         *     for `/api/auth/signup/email-password/code`; the owner of a known one is mailed a notice. Elsewhere the account is
         *     created at once, with 201, and a known address is refused with 409.
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
         * Completes a sign-up with the mailed code
         * @description A sign-up accepts at most five codes, within 30 minutes.
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
         * Completes a sign-in with Google
         * @description A new user must accept the terms: the response is AUTH_TERMS_REQUIRED, and the same state works once more, without a
         *     code.
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
                /** @description The same, for a new user */
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
        /** Starts a sign-in with Google; sets a cookie that identifies the browser when it returns */
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
        /** Confirms an e-mail address by the mailed code; no sign-in needed */
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
        /** Mails the caller another link to confirm their address; does nothing if it is confirmed */
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
        /** Creates a key; it is shown only in this response */
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
         * Deletes one of the caller's uploads that nothing uses
         * @description It no longer counts against the caller's storage. Kept pictures are deleted as input assets.
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
         * Uploads an audio file
         * @description MP3, M4A, FLAC, Ogg or WAV, with the same rules as for videos.
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
         * @description Metadata is removed from the file: place, camera, times, comments. The same picture under the same name gives the
         *     same asset again. At most 20 MB unless the installation says otherwise. The picture is private.
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
    "/api/general/asset/file/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uploads a text file
         * @description Text of any format, such as TXT, Markdown, CSV, JSON, SRT, YAML or XML, in UTF-8, or in UTF-16 with a byte-order
         *     mark. It is stored in UTF-8 without a mark, and workers get it with the extension of its name. At most 2 MB unless
         *     the installation says otherwise. The file is private, and browsers only save it.
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
                    "multipart/form-data": components["schemas"]["TextForm"];
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
         * Uploads a video
         * @description MP4, WebM, QuickTime or Matroska; formats that browsers do not play are converted to MP4 or WebM. Metadata is
         *     removed. At most 100 MB and 10 minutes unless the installation says otherwise. The video is private.
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
         * Comments that match a filter, by age
         * @description Filters may contain `_id`, `user`, `workflow` or `outputAsset` (comments directly below it), `parent` (its answers),
         *     `depth` and a range of `createdAt`. Callers other than admins must name a place (`_id`, `workflow`, `outputAsset` or
         *     `parent`) or themselves as `user`. Sorted by `createdAt`, in either direction. Deleted comments are left out.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Deleted items and those of other users are skipped.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
         * Replaces the content of the caller's comments
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Deleted items and those of other users are skipped;
         *     the changed comments are returned.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Dislikes a comment, or removes the dislike */
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
        /** Likes a comment, or removes the like */
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
        /** One comment, for links */
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
        /** Answers to a comment, oldest first */
        get: {
            parameters: {
                query?: {
                    /** @description Items per page, 1 to 100; by default 10 comments or 20 pictures. */
                    limit?: number;
                    /** @description The page number, from 1 (the default). */
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
        /** Number of comments that match a filter, with the list's restrictions */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
                    /** @description Items per page, 1 to 100; by default 10 comments or 20 pictures. */
                    limit?: number;
                    /** @description The page number, from 1 (the default). */
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
        /** Number of the caller's comments over time; for admins, of all users */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
                    /** @description Items per page, 1 to 100; by default 10 comments or 20 pictures. */
                    limit?: number;
                    /** @description The page number, from 1 (the default). */
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
        /** Replaces all contact points of the caller */
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
    "/api/general/coupon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller has redeemed, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
                        "application/json": components["schemas"]["Cursor_CouponUseView"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Redeems the code of a coupon
         * @description At most 20 tries per account and hour, and 60 per network.
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
                    "application/json": components["schemas"]["RedeemBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CouponUseView"];
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
    "/api/general/credit/ceilings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets the most that the caller wants to spend on a run and on a day
         * @description A field that is left out or `null` removes the ceiling.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CeilingsView"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CeilingsView"];
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /**
                     * @description The first day, in UTC.
                     * @example 2026-01-01
                     */
                    from?: string;
                    /** @description All kinds by default. */
                    kind?: "Grant" | "Hold" | "Capture" | "Release" | "Expire" | "Debit";
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /**
                     * @description The last day, inclusive. Not before `from`.
                     * @example 2026-01-31
                     */
                    until?: string;
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
    "/api/general/credit/entries.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's statement as a CSV file, newest first
         * @description The columns are `time,kind,amount,balanceAfter,job,grant,spent`. `amount` is what `balanceAfter` changes by: positive
         *     for what is granted or returned, and negative for what is held, expired or taken back. A `Capture` takes what its
         *     `Hold` reserved, so its `amount` is 0, and `spent` has the credits. `spent` is 0 in other lines.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The first day, in UTC.
                     * @example 2026-01-01
                     */
                    from?: string;
                    /** @description All kinds by default. */
                    kind?: "Grant" | "Hold" | "Capture" | "Release" | "Expire" | "Debit";
                    /**
                     * @description The last day, inclusive. Not before `from`.
                     * @example 2026-01-31
                     */
                    until?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A file with a line per entry */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
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
    "/api/general/editor/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The price and the time of the graph in the editor
         * @description Files that the graph names are taken to be there. Nothing is submitted or held.
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
                    "application/json": components["schemas"]["PromptGraphBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QuoteView"];
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
    "/api/general/event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events about the caller's objects, in order and without gaps
         * @description Reading each page's `nextCursor` gives every event exactly once: an event gets its position after its commit, so
         *     none can appear before a cursor. Events are kept for at least 30 days; an older cursor is refused with
         *     `EVENTS_FORGOTTEN`.
         *
         *     `batch.finished` is sent when all jobs of a batch have ended and no upload is open. Later jobs reopen the batch, and
         *     the event is sent again. Its `workflowApi` is the one that all jobs of the batch ran, or `null`. `job.progress` is
         *     sent at 25, 50 and 75 percent of an attempt, only to users with a webhook for it. A step passed together with a later
         *     one is skipped.
         *
         *     With `wait` an empty page waits for an event. With `Accept: text/event-stream` the response is a stream: `begin`,
         *     then an `event` for each. Their SSE ids are cursors too, so `Last-Event-ID` resumes an interrupted stream.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description `nextCursor` of the previous page; `oldest` (the default) starts with the oldest event, `latest` after the
                     *     newest one.
                     */
                    after?: string;
                    /** @description Events per page, 1 to 500; 100 by default. */
                    limit?: number;
                    /** @description Only these types, separated by commas. */
                    types?: string;
                    /** @description Seconds to wait if there is no event yet, 0 to 30. */
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
         * The caller's input assets that match a filter; for admins, of all users
         * @description Filters may contain `_id`, `asset`, `isPrivate`, `kind`, a range of `createdAt`, and for admins `user`. Sorted by
         *     `createdAt`, in either direction.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
        /** Keeps an upload as an input asset, private or public */
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
         * Removes input assets
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. Deleted items and those of other users are skipped.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
         * Makes the pictures of inputs private or public, all of them or none
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** One of the caller's input assets */
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
        /** Removes an input asset; the picture stays wherever it is used */
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
        /** Makes the picture of an input private or public */
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
        /** Number of the caller's input assets that match a filter; for admins, of all users */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** The caller's input assets, the latest first */
        get: {
            parameters: {
                query?: {
                    /** @description Only files of this kind: `Image`, `Video`, `Audio` or `Text`. */
                    kind?: "Image" | "Video" | "Audio" | "Text";
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description The page number, from 1 (the default). */
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
        /** Number of input assets that the caller kept over time; for admins, of all users */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}, "createdAt": {"$gte": "…", "$lt": "…"}}`, as a JSON text; also `status`, `batch`,
                     *     `workflowApi` and `label`, instead of the parameters of that name.
                     */
                    filter?: string;
                    /** @description Only jobs with this label: `key=value`. */
                    label?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description Only jobs in one of these statuses, separated by commas. */
                    status?: string;
                    /** @description Only jobs of this mini app, in any version. */
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
         * Runs one of the caller's jobs again
         * @description The same prompt with the same files, or the same form with the drawn seeds; a mini app runs in the version of the job.
         */
        post: {
            parameters: {
                query?: {
                    /**
                     * @description When the job must have ended, at most 30 days from now. It is refused with `DEADLINE_NOT_POSSIBLE` where that is
                     *     sooner than the expected wait and run.
                     */
                    deadline?: string;
                    /**
                     * @description The job ends as `ExecutionTimeout` when it has cost this much. At least the price of a second in its pool;
                     *     without it, the longest run of the plan.
                     */
                    maxCredits?: number;
                    /**
                     * @description `flex` costs less, as the quote says, and runs when no other job of its pool waits; or in time for `deadline`, or
                     *     after the longest wait of the installation. `standard` by default.
                     */
                    priceClass?: "standard" | "flex";
                };
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
         * A job's outputs
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
         *     `outputs` (as the call `api-outputs`), in the job's order. The stream ends after the final status. Send the last
         *     event's id as `Last-Event-ID` to resume.
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
        /** A job's status, queue position and progress */
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
        /** What a job waits for, in one sentence, and what would resolve it */
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
         * @description The body has one item per line (newline-delimited JSON), each an `ItemBody` with its own idempotency key. The
         *     response is streamed during the upload: first `{"batch": id}`, then an `ItemView` for each item in the order of the
         *     upload, and last `{"batch", "accepted", "refused", "replayed", "complete": true}`. Without that last line the
         *     response was interrupted: send the file again, and exactly the missing jobs are created. The `Idempotency-Key` names
         *     the batch; the same key continues the same batch. Items refused with RATE_LIMITED or UNAVAILABLE may be sent again
         *     later. A line may be as long as any other JSON body. The parameters are the terms of items without their own.
         */
        post: {
            parameters: {
                query?: {
                    /**
                     * @description When the job must have ended, at most 30 days from now. It is refused with `DEADLINE_NOT_POSSIBLE` where that is
                     *     sooner than the expected wait and run.
                     */
                    deadline?: string;
                    /**
                     * @description The job ends as `ExecutionTimeout` when it has cost this much. At least the price of a second in its pool;
                     *     without it, the longest run of the plan.
                     */
                    maxCredits?: number;
                    /**
                     * @description `flex` costs less, as the quote says, and runs when no other job of its pool waits; or in time for `deadline`, or
                     *     after the longest wait of the installation. `standard` by default.
                     */
                    priceClass?: "standard" | "flex";
                };
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
        /** Number of a batch's jobs in each status */
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
         * Cancels all pending and running jobs of a batch; harmless when repeated
         * @description The batch accepts no more items. A large batch is not fully canceled when this answers: `active` counts the
         *     remaining jobs, and falls to 0 by itself.
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
        /** Number of the caller's jobs that match a filter */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /**
         * Runs a prompt
         * @description A workflow in the editor's format is refused: `details.error.type` is then `workflow_format_ui`. Only the editor can
         *     convert it.
         */
        post: {
            parameters: {
                query?: {
                    /**
                     * @description When the job must have ended, at most 30 days from now. It is refused with `DEADLINE_NOT_POSSIBLE` where that is
                     *     sooner than the expected wait and run.
                     */
                    deadline?: string;
                    /**
                     * @description The job ends as `ExecutionTimeout` when it has cost this much. At least the price of a second in its pool;
                     *     without it, the longest run of the plan.
                     */
                    maxCredits?: number;
                    /**
                     * @description `flex` costs less, as the quote says, and runs when no other job of its pool waits; or in time for `deadline`, or
                     *     after the longest wait of the installation. `standard` by default.
                     */
                    priceClass?: "standard" | "flex";
                };
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
    "/api/general/job/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The price and the time of runs as they would be submitted
         * @description Forms, prompts and files are checked as in a submit. Nothing is submitted or held. `mostCredits` is the price of the
         *     longest run that the plan, `maxCredits` and the caller's own ceiling allow; no run costs more, if it is submitted with
         *     the same `maxCredits` while plan, ceiling and prices are the same.
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
                    "application/json": components["schemas"]["QuoteBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QuotesView"];
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
        /** Number of jobs that the caller submitted over time; for admins, of all users */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
         * @description The body has a value for each API field; a seed of -1 asks for a random one, and the response tells which was drawn.
         *     A missing field has its default. `null` is an emptied field: an empty text, or no value where the node works without
         *     one; elsewhere it is refused. A whole number may also be sent as a text of its digits. With an `Idempotency-Key` the
         *     same request returns the same job.
         */
        post: {
            parameters: {
                query?: {
                    /**
                     * @description When the job must have ended, at most 30 days from now. It is refused with `DEADLINE_NOT_POSSIBLE` where that is
                     *     sooner than the expected wait and run.
                     */
                    deadline?: string;
                    /**
                     * @description The job ends as `ExecutionTimeout` when it has cost this much. At least the price of a second in its pool;
                     *     without it, the longest run of the plan.
                     */
                    maxCredits?: number;
                    /**
                     * @description `flex` costs less, as the quote says, and runs when no other job of its pool waits; or in time for `deadline`, or
                     *     after the longest wait of the installation. `standard` by default.
                     */
                    priceClass?: "standard" | "flex";
                };
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
    "/api/general/job/workflow-api/{id}/version/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs one version of a mini app
         * @description As a run of the app, always with the graph and the form of this version, whatever its author saves later. The app's
         *     `version` names the current one.
         */
        post: {
            parameters: {
                query?: {
                    /**
                     * @description When the job must have ended, at most 30 days from now. It is refused with `DEADLINE_NOT_POSSIBLE` where that is
                     *     sooner than the expected wait and run.
                     */
                    deadline?: string;
                    /**
                     * @description The job ends as `ExecutionTimeout` when it has cost this much. At least the price of a second in its pool;
                     *     without it, the longest run of the plan.
                     */
                    maxCredits?: number;
                    /**
                     * @description `flex` costs less, as the quote says, and runs when no other job of its pool waits; or in time for `deadline`, or
                     *     after the longest wait of the installation. `standard` by default.
                     */
                    priceClass?: "standard" | "flex";
                };
                header?: {
                    /** @description At most 255 characters */
                    "Idempotency-Key"?: string | null;
                };
                path: {
                    id: string;
                    version: string;
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
         * Notifications of the caller's box that match a filter, by age
         * @description Filters may contain `_id`, `type`, `workflow`, `outputAsset`, `checkedAt` (`null` or `{"$exists": true}`) and a
         *     range of `createdAt`. Sorted by `createdAt`, in either direction.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
         * Deletes notifications from the caller's box
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Deleted ones and those of other users are skipped.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
         * Marks notifications as read
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Those of other users are skipped.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Marks notifications as read */
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
        /** Marks all notifications of a type as read */
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
                    /** @description Whether to return the number of pages too. */
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
         * Events of the notification box, as server-sent events
         * @description `count` with the number of unread notifications, at the start and after each change.
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
        /** All notifications, in pages */
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description How many to skip. */
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
        /** The types of notifications that the caller gets by mail */
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
        /** Changes the types of notifications that the caller gets by mail */
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
         * Deletes a notification from the caller's box
         * @description A notice to all users stays in the boxes of others. A deleted notification does not return.
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
        /** Marks a notification as read */
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
        /** Number of notifications of the caller's box that match a filter */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Number of notifications in the caller's box over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
        /** The node definitions of all pools, in ComfyUI's format */
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
    "/api/general/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's orders, newest first
         * @description With what the caller was given by coupons and by admins, as `type` says.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
                        "application/json": components["schemas"]["Cursor_OrderView"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Orders an item
         * @description The buyer pays at `payAt` of the order, and comes back to the order in the account. At most 60 orders per account and
         *     hour. A code is used with the order, and can be used again if the order ends without a payment; its tries are counted
         *     as those of redeemed codes.
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
                    "application/json": components["schemas"]["OrderBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderView"];
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
    "/api/general/order/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An order of the caller
         * @description Also what the caller was given. The calls that complete, cancel and refund know orders of the type `Payment` alone.
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
                        "application/json": components["schemas"]["OrderView"];
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
    "/api/general/order/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels an order that is not paid */
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
                        "application/json": components["schemas"]["OrderView"];
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
    "/api/general/order/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Charges an order that the buyer has approved
         * @description Asks the payment provider what became of the payment. If it does not answer, the order is returned as it is, and the
         *     platform goes on asking.
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
                        "application/json": components["schemas"]["OrderView"];
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
    "/api/general/order/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives the buyer the money of an order back, and takes its credits back
         * @description Within seven days, if none of its credits and of its bonus was used.
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
                        "application/json": components["schemas"]["OrderView"];
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
    "/api/general/order/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a purchase costs and gives, before it is ordered
         * @description At most 20 tries of codes per account and hour, and 60 per network.
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
                    "application/json": components["schemas"]["PurchaseQuoteBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PurchaseQuoteView"];
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
    "/api/general/output-asset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Published outputs, or those that match a filter; admins also see NSFW outputs */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}}`, as a JSON text; items that the caller may not see are left out. Also `user`, `job`,
                     *     `isPrivate`, `isNsfw`, `kind` (`Image`, `Video`, `Audio` or `File`), and a range of `createdAt` (`{"$gte":
                     *     "…", "$lt": "…"}`).
                     */
                    filter?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description NSFW content: `Hide` (the default for all but admins), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /**
                     * @description `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` is at most 10,000; a
                     *     cursor has no limit.
                     */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. Deleted items and those of other users are skipped.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Likes another user's published output; idempotent */
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
        /** Likes another user's published output, or removes the like */
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
        /** Removes the like of an output; idempotent */
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
         * One output: published, or the caller's own. Looking at another user's output counts as a view, once a day
         * @description With `select=prompt name` the response is the graph that made it, an `OutputGraphView`. A caller who may see the output
         *     may see it, and of a mini app only while its workflow may be seen. That does not count as a view.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `prompt name` returns id, name and graph. Without it, empty, or `-prompt` returns everything but the graph. */
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
        /** Sets whether an output is safe for work; for admins */
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
         * How an output was made: the mini app and its settings, or the usual settings of a raw prompt
         * @description By default a published output shows its settings, including the typed texts; its owner can set `showsOrigin: false`.
         *     Others' uploads and workflows that the caller may not see are never shown.
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
         * The worker's original file, with the prompt and the graph that ComfyUI embeds
         * @description Only for the owner of both the output and what ran: their own prompt, or a mini app of their own workflow. All other
         *     addresses serve the file without prompt and graph.
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
    "/api/general/output-asset/{id}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stores one of the caller's own pictures as an upload for the pictures of a workflow
         * @description The upload is as visible as the workflows that show it; the output itself stays as it is.
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
    "/api/general/output-asset/{id}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stores a picture as one of the caller's uploads, to use it in a form */
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
        /** Number of outputs that match a filter among those that the caller may see */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
         * The outputs that the caller likes, the latest like first. Outputs hidden or deleted since then keep their place
         *     without addresses; deleted ones have a `viewCount` of -1
         */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description The user; the caller by default. Other users are for admins. */
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
         * @description A published output shows everyone how it was made, including the texts typed into the form, unless `showsOrigin` is
         *     `false`.
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
        /** A user's published outputs */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description NSFW content: `Hide` (the default for others' outputs), `View` or `Only`. */
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
        /** Number of the caller's outputs over time; for admins, of all users */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
        /** A user's private outputs; for themselves and admins */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description NSFW content: `Hide` (the default for others' outputs), `View` or `Only`. */
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
         * Several outputs as one ZIP file, streamed while it is made: pictures are named by their time, other files by their
         *     worker's file name
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
    "/api/general/payment-method": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's saved cards */
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
                        "application/json": components["schemas"]["PaymentMethodsView"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Begins to save a card
         * @description The user enters it at `page` or at the provider's window, and comes back to `/account?tab=payment&method=ID`, with
         *     `failed=1` if that failed. At most 20 per account and hour. One that is not completed in a day is removed.
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
                    "application/json": components["schemas"]["PaymentMethodBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentMethodWindowView"];
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
    "/api/general/payment-method/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a saved card */
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
    "/api/general/payment-method/{id}/card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Saves a card that was entered at a form of this site
         * @description 404 where the operator has not switched the form on.
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
                    "application/json": components["schemas"]["CardBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentMethodView"];
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
    "/api/general/payment-method/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Saves a card that was entered at the provider
         * @description A repetition changes nothing. The first saved card becomes the default.
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
                    "application/json": components["schemas"]["PaymentMethodDoneBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaymentMethodView"];
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
    "/api/general/payment-method/{id}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Makes a saved card the one that is charged first */
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
                        "application/json": components["schemas"]["PaymentMethodView"];
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
         * Reports an object to the moderators
         * @description A user has one open report of an object: another one replaces it. Users cannot report their own objects.
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
    "/api/general/requirement-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks the operators for a node class or a model that no worker of the caller's pools has; idempotent
         * @description The latest 200 requests of a user are kept.
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
                    "application/json": components["schemas"]["RequirementRequestBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequirementRequestView"];
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
    "/api/general/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's subscription */
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
                        "application/json": components["schemas"]["CurrentSubscriptionView"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Subscribes to a plan
         * @description The buyer's card is charged for the first month at once, and for each following month until the subscription is
         *     canceled. If the charge is declined, the subscription is returned as `Ended`. Where PayPal takes the currency, the
         *     subscription is returned as `Pending`: the buyer approves it at `payAt` within three hours, and PayPal charges each
         *     month. At most 60 orders per account and hour.
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
                    "application/json": components["schemas"]["SubscribeBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaidSubscriptionView"];
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
    "/api/general/subscription/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels the subscription: it ends with the paid month
         * @description PayPal stops to charge it at once. One that waits for the approval at PayPal ends at once.
         */
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
                        "application/json": components["schemas"]["PaidSubscriptionView"];
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
    "/api/general/subscription/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a change of plan costs, and when it takes effect
         * @description A larger plan begins at once and costs the difference for the days of the month that are left; a smaller one begins
         *     with the next month.
         */
        get: {
            parameters: {
                query: {
                    /** @description An item of the shop with a plan. */
                    itemId: string;
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
                        "application/json": components["schemas"]["PlanChangeView"];
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
    "/api/general/subscription/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks PayPal what became of the subscription
         * @description For a buyer who comes back from PayPal. A subscription that a card pays is returned as it is.
         */
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
                        "application/json": components["schemas"]["PaidSubscriptionView"];
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
    "/api/general/subscription/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Changes the plan
         * @description Choosing the current plan takes a planned change back.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PlanChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PaidSubscriptionView"];
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
    "/api/general/subscription/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a cancellation back */
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
                        "application/json": components["schemas"]["PaidSubscriptionView"];
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
    "/api/general/subscription/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries a failed payment again at once */
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
                        "application/json": components["schemas"]["PaidSubscriptionView"];
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
         * Users' public cards
         * @description Callers other than admins must name ids: `{"_id": {"$in": ["…"]}}`, at most 500; deleted users are left out. Admins
         *     may omit the ids, and give a range of `createdAt`. Newest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
        /** Changes the caller's own name, language or picture; the filter names the caller: `{"_id": "…"}` */
        patch: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Users whom the caller has blocked, newest first */
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
        /** Blocks a user, who can no longer comment on the caller's posts or answer the caller */
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
        /** Removes a block */
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
        /** A user's profile with contact points, and counts of published content */
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
        /** Changes the caller's own name, language or picture */
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
        /** Number of the named users that exist; for admins, of all users */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Number of sign-ups over time, for admins */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
         * Creates a webhook for all jobs of the caller's account
         * @description Messages are signed as in Standard Webhooks, by the `secret` of this response, which is shown only once. Each is
         *     delivered at least once, in order within a job, with at most ten attempts over a day. 2xx is success, 410 disables
         *     the webhook, and `Retry-After` is respected.
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
        /** Enables a disabled webhook */
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
        /** Sends all given-up events of a webhook again, up to 10,000 */
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
        /**
         * Creates a new secret; the previous one signs too for a day
         * @description This holds for each of up to five secrets that are replaced within a day.
         */
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
        /** Sends a test event to one of the caller's webhooks; at most 60 an hour */
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
        /** The webhooks of one of the caller's workflow APIs; `id` is the workflow API's */
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
         * Creates a webhook for the caller's jobs of one of their workflow APIs; `id` is the workflow API's
         * @description Otherwise as the webhooks of the account.
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
        /** Deletes one of the caller's webhooks with its history; `id` is the webhook's */
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
        /** Changes one of the caller's webhooks; `id` is the webhook's */
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
        /** The events that a webhook can receive */
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
        /** Attempts of one of the caller's webhooks, the latest first */
        get: {
            parameters: {
                query?: {
                    /** @description 1 to 100; 5 by default. */
                    limit?: number;
                    /** @description The page number, from 1 (the default). */
                    page?: number;
                    /** @description An exact match: a job, a `groupId`, an event's id or name, `Success`, `Failed`, or a status. */
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}}`, as a JSON text; items that the caller may not see are left out. Also `user`,
                     *     `isPrivate`, `isNsfw`, `workflowTags` (ids), `workflowApi` (`{"$exists": true}`), and ranges of `createdAt`
                     *     and `publishedAt` (`{"$gte": "…", "$lt": "…"}`).
                     */
                    filter?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description NSFW content: `Hide` (the default), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /**
                     * @description `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` is at most 10,000; a
                     *     cursor has no limit.
                     */
                    options?: string;
                    /** @description A tag of depth 0: workflows with any tag below it. */
                    parentTag?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
                    populate?: string;
                    /** @description Words in name, description or tags. */
                    q?: string;
                    /**
                     * @description `newest`, `oldest`, `like`, `view` or `publishedAt` (the default). Lists of a tag and searches have their own
                     *     order.
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
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Deleted items and those of other users are skipped.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
         * Mini apps that match a filter among those that the caller may see, by age
         * @description Mini apps of published workflows and the caller's own; for admins all. Filters may contain `_id`, `workflow`, `user`
         *     (the owner), `isPrivate` and `isNsfw` (of the workflow), and a range of `createdAt`; NSFW apps are left out unless
         *     the filter asks for them or names ids. Sorted by `createdAt`, in either direction. `inputs` and `outputs` are only
         *     for callers who may change the app. Whether an app fits the workers is only part of the call for one app.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
        /** Saves a workflow API; saving again creates a new version */
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
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`, at most 500. Deleted items and those of other users are skipped.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
         * Replaces the inputs or outputs of one of the caller's mini apps, which makes a new version
         * @description The filter names it: `{"_id": "…"}`. It names only one, because inputs and outputs belong to one graph.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Mini apps shared with the caller, the latest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
         * Shares one of the caller's mini apps with the user who has this address, and notifies them
         * @description The user sees its documentation and runs it with their own key and credits, even if the workflow is private. They
         *     see neither the graph nor others' jobs. Removing the share takes effect at once. At most 200 users for each app, and
         *     60 addresses an hour.
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
        /** Removes a share: of one of the caller's mini apps, or one that the caller was given */
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
        /** The users with whom one of the caller's mini apps is shared, the latest first */
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
        /** One mini app with its form: of a published workflow, the caller's own, or shared with the caller */
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
         * Replaces the inputs or outputs of one of the caller's mini apps, which makes a new version
         * @description Missing fields stay unchanged.
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
         * The OpenAPI 3.1 document of this mini app: its request body, and the calls that follow a run
         * @description For users who may run it, to generate clients from. It describes the current version, and its run is always one of
         *     the current version.
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
    "/api/general/workflow-api/{id}/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The price and the time of a run of a mini app, by earlier runs with any values
         * @description Nothing is submitted or held. A run costs what it takes: `mostCredits` is the price of the longest run that the plan
         *     allows. `flex` is the price of the class that runs when workers have nothing else to do.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A version of the mini app; the current one by default. */
                    version?: string;
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
                        "application/json": components["schemas"]["QuoteView"];
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
    "/api/general/workflow-api/{id}/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The versions of one of the caller's mini apps, newest first
         * @description Each save makes one. Admins read those of all mini apps.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
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
                        "application/json": components["schemas"]["Cursor_AppVersionView"];
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
    "/api/general/workflow-api/{id}/version/{version}/openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The OpenAPI 3.1 document of one version of a mini app
         * @description For users who may run it. Its run is always one of this version, so a client that was generated from it keeps working
         *     whatever the author saves later.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    version: string;
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
    "/api/general/workflow-api/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of mini apps that match a filter among those that the caller may see */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** What the caller's workflow offers, a proposal, and what is saved */
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
        /** The form that a save would generate; nothing is saved */
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
        /** Number of mini apps that the caller made over time; for admins, of all users */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
        /** Likes a workflow, or removes the like */
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
        /** Likes a workflow; idempotent */
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
        /** Likes a workflow, or removes the like */
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
        /** Removes the like of a workflow; idempotent */
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
        /** All tags with their parents and children, in the admins' order */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
        /** Adds a tag as the last child of its parent (admins only) */
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
         * Deletes unused tags, all of them or none (admins only)
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`. Deleted tags are skipped.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
         * Changes tags' names or parents, all of them or none (admins only)
         * @description The filter names them: `{"_id": {"$in": ["…"]}}`.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** One tag with its parent and children */
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
        /** Deletes an unused tag (admins only) */
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
        /** Changes a tag's names or parent (admins only) */
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
        /** Number of tags that match a filter */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Number of tags created over time, for admins */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
         * @description With `select=prompt name` the response is a `WorkflowGraphView` instead. Otherwise the view is counted: once a day
         *     for each user.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `prompt name` returns id, name and graph. Without it, empty, or `-prompt` returns everything but the graph. */
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
        /** Deletes one of the caller's workflows; its jobs stay */
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
        /** Changes one of the caller's workflows */
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
    "/api/general/workflow/{id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's draft of a workflow
         * @description A draft is an unsaved graph of the editor. Saving the workflow deletes it.
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
                        "application/json": components["schemas"]["FoundDraftView"];
                    };
                };
            };
        };
        /**
         * Stores the caller's draft of a workflow
         * @description If another page has stored a draft that this page does not know, the answer is `DRAFT_CHANGED`.
         */
        put: {
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
                    "application/json": components["schemas"]["DraftBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedDraftView"];
                    };
                };
            };
        };
        post?: never;
        /** Deletes the caller's draft of a workflow */
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
    "/api/general/workflow/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A graph of a workflow with its mini app as an app of ComfyUI
         * @description The graph need not be saved. It is returned unchanged where the workflow has no mini app. Nothing is written.
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
                    "application/json": components["schemas"]["ExportBody"];
                };
            };
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
        /** Counts a launch, also of a private workflow */
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
    "/api/general/workflow/{id}/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The saved versions of one of the caller's workflows
         * @description The latest first. Each saved graph is a version.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
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
                        "application/json": components["schemas"]["Cursor_VersionView"];
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
    "/api/general/workflow/{id}/version/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The graph of a version */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    version: number;
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
                        "application/json": components["schemas"]["VersionGraphView"];
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
    "/api/general/workflow/{id}/version/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Saves the graph of an earlier version as the latest one */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RestoreBody"];
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
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/general/workflow/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All workflows of all users, for admins */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description `{"isPrivate": false}`, `{"isNsfw": true}`, both or neither, as a JSON text; or any other filter of lists. */
                    filter?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description A part of the name, ignoring case: the latest 500 matches. */
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
        /** Creates a private copy of a workflow for the caller */
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
        /** Number of workflows that match a filter among those that the caller may see */
        get: {
            parameters: {
                query?: {
                    /** @description As in the list: `{"user": "…", "isPrivate": false}`, as a JSON text. */
                    filter?: string;
                    /** @description NSFW content: `Hide` (the default), `View` or `Only`. */
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
    "/api/general/workflow/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's draft of the project that was never saved */
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
                        "application/json": components["schemas"]["FoundDraftView"];
                    };
                };
            };
        };
        /** Stores the caller's draft of the project that was never saved */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DraftBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SavedDraftView"];
                    };
                };
            };
        };
        post?: never;
        /** Deletes the caller's draft of the project that was never saved */
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
    "/api/general/workflow/like": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The workflows that a user likes, the latest like first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description Another user, for admins; the caller by default. */
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
        /** Publishes or hides the caller's workflows, all of them or none */
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
        /** A user's published workflows, the latest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
    "/api/general/workflow/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The node classes and models of a prompt that no worker of the caller's pools has
         * @description Runs nothing. Before something is called missing, the workers are asked again. What other pools have is told with the
         *     plans that include them.
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
                    "application/json": components["schemas"]["PromptGraphBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RequirementsView"];
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
    "/api/general/workflow/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of workflows that the caller made over time; for admins, of all users */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
        /** A user's private workflows, newest first; for themselves and admins */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
        /** Whether the node can run jobs */
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
         * @description It does not depend on the database or other services, because a restart would not repair those.
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
        /** Current announcements to visitors, and the workflows that do not work at the moment */
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
        /** Model files of the workers */
        get: {
            parameters: {
                query?: {
                    /** @description `checkpoints`, `loras`, `vae`, …; all by default. */
                    folder?: string;
                    /** @description `name`, the only field. */
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
        /** Comments that match a filter, by age, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
        /** One comment, for links, for anyone */
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
        /** Answers to a comment, oldest first, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description Items per page, 1 to 100; by default 10 comments or 20 pictures. */
                    limit?: number;
                    /** @description The page number, from 1 (the default). */
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
        /** Number of comments that match a filter, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
                    /** @description Items per page, 1 to 100; by default 10 comments or 20 pictures. */
                    limit?: number;
                    /** @description The page number, from 1 (the default). */
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
        /** Number of comments over time that are neither deleted nor hidden */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
                    /** @description Items per page, 1 to 100; by default 10 comments or 20 pictures. */
                    limit?: number;
                    /** @description The page number, from 1 (the default). */
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
    "/api/public/error-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All error codes: where the cause is, whether the same call may succeed later, and what to do next */
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
                        "application/json": components["schemas"]["Items_ErrorCodeView"];
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
    "/api/public/generator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The generators that workers can run now, best first
         * @description For a signed-in user those of the plan's pools.
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
                        "application/json": components["schemas"]["Items_GeneratorView"];
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
    "/api/public/item": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What can be bought here: plans, then packs of credits */
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
                        "application/json": components["schemas"]["ShopView"];
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Only apps of this kind: `easyapp`, `figma` or `generator`. */
                    kind?: "easyapp" | "figma" | "generator";
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description Only apps that make this: `image`, `video`, `audio`, `text` or `file`. */
                    makes?: "image" | "video" | "audio" | "text" | "file";
                    /** @description `newest` (the default), `oldest`, `like` or `view`. */
                    sort?: "newest" | "oldest" | "like" | "view" | "publishedAt" | "-_id" | "_id" | "-createdAt" | "createdAt" | "-likeCount" | "-viewCount" | "-publishedAt";
                    /** @description Only apps that take this: `image`, `video`, `audio`, `textfile`, or `text` for a prompt. */
                    takes?: "image" | "video" | "audio" | "textfile" | "text";
                    /** @description Only apps that some worker can run now, or with `false` those that none can. */
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
         * Mini apps that fit a description, and why: those that generate pictures from a prompt, and those that match its
         *     words
         * @description `fitting` has only apps that some worker can run now; `waiting` has apps that would generate the picture if a worker
         *     had what they need, and `drawingPools` names the pools whose workers could.
         */
        get: {
            parameters: {
                query: {
                    /**
                     * @description Only apps that make this: `image`, `video`, `audio`, `text` or `file`. A description that names no kind asks for
                     *     this one.
                     */
                    makes?: "image" | "video" | "audio" | "text" | "file";
                    /** @description A description in plain language, at most 500 characters. */
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
        /** The link preview of a page */
        get: {
            parameters: {
                query: {
                    /** @description `json`, the only format. */
                    format?: "json";
                    maxheight?: number;
                    maxwidth?: number;
                    /** @description The address of a published picture, workflow or mini app of this site. */
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
        /** The installation's operator, and facts for its terms of use and privacy policy */
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
        /** Published outputs, or those that match a filter */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}}`, as a JSON text; items that the caller may not see are left out. Also `user`, `job`,
                     *     `isPrivate`, `isNsfw`, `kind` (`Image`, `Video`, `Audio` or `File`), and a range of `createdAt` (`{"$gte":
                     *     "…", "$lt": "…"}`).
                     */
                    filter?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description NSFW content: `Hide` (the default for all but admins), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /**
                     * @description `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` is at most 10,000; a
                     *     cursor has no limit.
                     */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
                    /** @description `prompt name` returns id, name and graph. Without it, empty, or `-prompt` returns everything but the graph. */
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
        /** How a published output was made */
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
        /** Number of public outputs that match a filter; admins also count NSFW outputs */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** A user's published outputs, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description NSFW content: `Hide` (the default for others' outputs), `View` or `Only`. */
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
        /** Number of public outputs over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
    "/api/public/payment-notice/PayPal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a notice of PayPal
         * @description It is only a hint: PayPal is asked about the payment. One that PayPal has not signed is refused. 404 where PayPal is not
         *     set up.
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
                    "application/json": unknown;
                };
            };
            responses: {
                /** @description Also for unknown payments */
                200: {
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
    "/api/public/payment-notice/TossPayments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a notice of TossPayments
         * @description It is only a hint: Toss is asked about the payment. 404 where Toss is not set up.
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
                    "application/json": unknown;
                };
            };
            responses: {
                /** @description Also for unknown payments */
                200: {
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
    "/api/public/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plans of this installation, from the smallest to the largest */
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
                        "application/json": components["schemas"]["Items_PlanView"];
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
    "/api/public/promotion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The promotions that the caller is offered now: a banner, and the bonus of a first purchase */
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
                        "application/json": components["schemas"]["CurrentPromotionsView"];
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
        /** Public workflows, pictures and users that match a text and are safe for work */
        get: {
            parameters: {
                query: {
                    /** @description Searches this kind alone. */
                    kind?: "workflows" | "pictures" | "people";
                    /** @description Results of each kind, 1 to 24; 5 by default. */
                    limit?: number;
                    /** @description At most 100 characters; typing errors are tolerated. */
                    q: string;
                    /** @description Results of each kind to skip, up to 480: `nextSkip` of the previous answer. */
                    skip?: number;
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
    "/api/public/simple-app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The mini apps at fixed addresses */
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
                        "application/json": components["schemas"]["Items_SimpleAppView"];
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
    "/api/public/simple-app/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The mini app at a fixed address */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description `background-remover`, `face-swap` or `image-to-prompt` */
                    address: string;
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
                        "application/json": components["schemas"]["SimpleAppView"];
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
    "/api/public/test-agreement/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An agreement at the test provider
         * @description Its id is the end of the address `payAt` or `testPage` of a subscription. 404 where the test provider is off.
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
                        "application/json": components["schemas"]["TestAgreementView"];
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
    "/api/public/test-agreement/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answers an agreement at the test provider */
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
                    "application/json": components["schemas"]["TestAgreementAnswerBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestPaymentAnsweredView"];
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
    "/api/public/test-card/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A card at the test provider
         * @description Its id is the end of the address `page` of a payment method. 404 where the test provider is off.
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
                        "application/json": components["schemas"]["TestCardView"];
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
    "/api/public/test-card/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Saves a card at the test provider */
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
                    "application/json": components["schemas"]["TestCardAnswerBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestCardAnsweredView"];
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
    "/api/public/test-payment/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A payment at the test provider
         * @description Its id is the end of the address `payAt` of an order. 404 where the test provider is off.
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
                        "application/json": components["schemas"]["TestPaymentView"];
                    };
                };
            };
        };
        put?: never;
        /** Answers a payment at the test provider */
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
                    "application/json": components["schemas"]["TestAnswerBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TestPaymentAnsweredView"];
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
    "/api/public/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends mail about notifications, by the code of such a mail; no sign-in needed */
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
         * Redirects a browser that opens the mail's address to the unsubscribe page
         * @description Opening an address must not change anything: virus scanners open it too.
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
        /** Users' public cards, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
        /** A user's profile with contact points, and counts of published content */
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
        /** Number of the named users that exist, for anyone */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Number of sign-ups over time of users that still exist */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
         * @description Latest publication first, unless a tag, a search or an order is given. Descriptions are shortened.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A tag of depth 1. */
                    childrenTag?: string;
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /**
                     * @description `{"_id": {"$in": ["…"]}}`, as a JSON text; items that the caller may not see are left out. Also `user`,
                     *     `isPrivate`, `isNsfw`, `workflowTags` (ids), `workflowApi` (`{"$exists": true}`), and ranges of `createdAt`
                     *     and `publishedAt` (`{"$gte": "…", "$lt": "…"}`).
                     */
                    filter?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description NSFW content: `Hide` (the default), `View` or `Only`. */
                    nsfw?: "View" | "Hide" | "Only";
                    /**
                     * @description `{"sort": "-likeCount", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. `skip` is at most 10,000; a
                     *     cursor has no limit.
                     */
                    options?: string;
                    /** @description A tag of depth 0: workflows with any tag below it. */
                    parentTag?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
                    populate?: string;
                    /** @description Words in name, description or tags. */
                    q?: string;
                    /**
                     * @description `newest`, `oldest`, `like`, `view` or `publishedAt` (the default). Lists of a tag and searches have their own
                     *     order.
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
        /** Public mini apps that match a filter, by age */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
    "/api/public/workflow-api/{id}/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The price and the time of a run of a published mini app, in the plan of a new account */
        get: {
            parameters: {
                query?: {
                    /** @description A version of the mini app; the current one by default. */
                    version?: string;
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
                        "application/json": components["schemas"]["QuoteView"];
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
    "/api/public/workflow-api/{id}/version/{version}/openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The OpenAPI 3.1 document of one version of a published mini app */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    version: string;
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
    "/api/public/workflow-api/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of public mini apps that match a filter */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Number of public mini apps made over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
         * All tags with their parents and children, in the admins' order
         * @description Filters may contain `_id`, `depth` and `parentTag` (an id, or `null`). `options` can sort by `createdAt`, in either
         *     direction. All tags are returned at once, unless `limit` is set.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out. */
                    filter?: string;
                    /** @description `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text. */
                    options?: string;
                    /** @description Relations to fill in, as a JSON text. All of them always are; unknown names are refused. */
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
        /** One tag with its parent and children */
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
        /** Number of tags that match a filter */
        get: {
            parameters: {
                query?: {
                    /** @description The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. */
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
        /** Number of tags created over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
                    /** @description `prompt name` returns id, name and graph. Without it, empty, or `-prompt` returns everything but the graph. */
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
         * @description The editor's graph if there is one, else the worker's prompt. The file has the workflow's name. A mini app of the
         *     workflow is in the editor's graph as an app of ComfyUI.
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
        /** Counts a launch: the workflow was opened to be run; once a day for each user */
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
        /** Basic workflows, which admins selected for beginners */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
        /** Number of public workflows that match a filter */
        get: {
            parameters: {
                query?: {
                    /** @description As in the list: `{"user": "…", "isPrivate": false}`, as a JSON text. */
                    filter?: string;
                    /** @description NSFW content: `Hide` (the default), `View` or `Only`. */
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
        /** A user's published workflows, the latest first */
        get: {
            parameters: {
                query?: {
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
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
        /** Number of public workflows made over time */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The last day, inclusive. Today by default.
                     * @example 2026-01-31
                     */
                    endDate?: string;
                    /** @description `day` (the default), `week` (from Monday) or `month`. */
                    groupBy?: "day" | "week" | "month";
                    /**
                     * @description The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
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
                    /** @description `nextCursor` of the previous page. */
                    cursor?: string;
                    /** @description `{"author_name": "…"}`, as a JSON text: the videos of one channel. */
                    filter?: string;
                    /** @description Words in title or channel; parts of words are enough. */
                    keyword?: string;
                    /** @description Items per page, 1 to 100; 20 by default. */
                    limit?: number;
                    /** @description `newest` (the default) or `oldest`, by publication date. */
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
         * @description For load balancers. A stopping node reports it first, and still answers requests for a while.
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
        /** @description The user who caused a notification. */
        ActorView: components["schemas"]["UserCard"] & {
            /** @description Admins are shown with the product's icon. */
            roles: string[];
        };
        /** @description An order as admins see it. */
        AdminOrderView: components["schemas"]["OrderView"] & {
            /**
             * Format: int64
             * @description Credits of the order that are neither used nor held, have not expired and were not taken back; `null` in lists, and
             *     for what was given.
             */
            creditsLeft?: number | null;
            /** @description Oldest first. */
            refunds: components["schemas"]["OrderRefundView"][];
            user?: components["schemas"]["UserCard"] | null;
        };
        /** @description An item as admins see it. */
        AdminShopItemView: components["schemas"]["ShopItemView"] & {
            /** Format: date-time */
            createdAt: string;
            /** @description Whether it is offered. */
            isActive: boolean;
        };
        /** @description A subscription as admins see it. */
        AdminSubscriptionView: components["schemas"]["PaidSubscriptionView"] & {
            user?: components["schemas"]["UserCard"] | null;
        };
        /** @description A GPU. */
        AgentGpuView: {
            name: string;
            /** Format: int64 */
            vramBytes: number;
        };
        /** @description A model file. */
        AgentModelView: {
            /** @description Its path below the models folder. */
            name: string;
            /** Format: int64 */
            sizeBytes: number;
        };
        /** @description A token that admits agents. */
        AgentTokenView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When an agent last connected with it.
             */
            lastUsedAt?: string | null;
            name: string;
            /** @description The pools that its agents may join. */
            pools: string[];
            /** @description The first characters of the token. */
            prefix: string;
            /**
             * Format: int64
             * @description Its agents whose workers were removed, and that may not connect.
             */
            removedAgents: number;
            /** Format: date-time */
            revokedAt?: string | null;
        };
        /** @description A worker's agent and its machine. */
        AgentView: {
            agentVersion: string;
            comfyuiVersion?: string | null;
            /**
             * Format: date-time
             * @description When it last connected.
             */
            connectedAt: string;
            driver?: string | null;
            gpus: components["schemas"]["AgentGpuView"][];
            /** @description Left out in lists. */
            models: components["schemas"]["AgentModelView"][];
            name: string;
            /**
             * Format: uuid
             * @description The node that it is connected to; none while it is disconnected.
             */
            node?: string | null;
            /** @description The agent's note on its server. */
            note?: string | null;
            os?: string | null;
            /** @description The name of its token. */
            token: string;
            /**
             * Format: uuid
             * @description The worker's id.
             */
            worker: string;
        };
        /** @description Current announcements. */
        AnnouncementsView: {
            galleryPause?: components["schemas"]["BilingualView"] | null;
            /** @description Newest first. */
            items: components["schemas"]["AnnouncementView"][];
            requestPause?: components["schemas"]["BilingualView"] | null;
            workflowAlert: components["schemas"]["WorkflowAlertView"];
        };
        /** @description One announcement. */
        AnnouncementView: {
            _id: string;
            /** Format: date-time */
            from: string;
            /** @description Whether it opens by itself for visitors who have not seen it. */
            opens: boolean;
            /** @description Plain text; an empty line starts a new paragraph. */
            text: components["schemas"]["BilingualView"];
            title: components["schemas"]["BilingualView"];
        };
        /** @description A page of the jobs of all users. */
        AnyJobsView: {
            items: components["schemas"]["AnyJobView"][];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
            searched?: components["schemas"]["JobSearchView"] | null;
        };
        /** @description A job in the admins' list. */
        AnyJobView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: int32
             * @description How many times a worker was chosen for it.
             */
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            creditsUsed?: number | null;
            /** Format: int64 */
            durationMs?: number | null;
            /** Format: date-time */
            endedAt?: string | null;
            executeException?: unknown;
            /** @description As in the call `status`. */
            fault?: string | null;
            /** @description The labels that its submit gave it. */
            labels: {
                [key: string]: string;
            };
            lane: components["schemas"]["LaneWord"];
            pool: string;
            priceClass: components["schemas"]["PriceClassWord"];
            /** Format: date-time */
            startedAt?: string | null;
            status: string;
            user?: components["schemas"]["UserCard"] | null;
            validateException?: unknown;
            worker?: components["schemas"]["JobWorkerView"] | null;
            workflow?: components["schemas"]["JobWorkflowView"] | null;
            /** Format: uuid */
            workflowApi?: string | null;
            /**
             * Format: uuid
             * @description The version of the mini app that it runs.
             */
            workflowApiVersion?: string | null;
        };
        /** @description Changes to a workflow API. */
        ApiChangesBody: {
            /** @description As for a save; replaces all inputs. */
            inputs?: Record<string, never> | null;
            /** @description As for a save; replaces all outputs. */
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
            /** @description The key's first characters, to recognize it by. */
            prefix: string;
            /** Format: date-time */
            revokedAt?: string | null;
        };
        /** @description Whether the app still fits its workflow and the workers. */
        AppHealthView: {
            ok: boolean;
            problems: unknown[];
        };
        /** @description A version of a mini app. */
        AppVersionView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Whether runs that name no version use this one. */
            isCurrent: boolean;
            /**
             * @description The path of its OpenAPI document. It needs no key if the app is published.
             * @example /api/public/workflow-api/{id}/version/{version}/openapi
             */
            openapi: string;
            /**
             * @description The path of the call that always runs this version.
             * @example /api/general/job/workflow-api/{id}/version/{version}
             */
            run: string;
        };
        /** @description A stored file. */
        AssetView: {
            /** Format: uuid */
            _id: string;
            /** @description Start of addresses; empty for addresses of this site. */
            baseUrl: string;
            /** @description A blurred placeholder of a few bytes, in Base64. */
            blurHash?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: int32 */
            height?: number | null;
            /** @description Content hash and extension: the last part of the file's addresses. */
            key: string;
            /** @description `Image`, `Video`, `Audio`, `Text` or `File`. */
            kind: string;
            metadata: components["schemas"]["MetadataView"];
            name: string;
            /** @description The quality for pages. */
            optimal: string;
            /** @description The folder of the media addresses. */
            prefix: string;
            /** Format: int64 */
            sizeBytes: number;
            /** @description 200 pixels wide. */
            thumbnailUrl: string;
            /** @description The original file. */
            url: string;
            /** @description The key of the small WebP picture. */
            webpKey: string;
            /** Format: int32 */
            width?: number | null;
        };
        /** @description An audio file and its name. */
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
        AuditAction: "workflow.update" | "workflow.delete" | "mini-app.save" | "mini-app.delete" | "generator.model" | "simple-app.bind" | "mini-app.share" | "mini-app.unshare" | "picture.update" | "picture.delete" | "upload.update" | "comment.delete" | "case.keep" | "case.hide" | "case.delete" | "case.restore" | "user.warn" | "user.ban" | "user.unban" | "user.role" | "user.plan" | "user.confirm" | "credit.grant" | "credit.debit" | "coupon.create" | "coupon.change" | "promotion.create" | "promotion.change" | "item.create" | "item.change" | "order.refund" | "subscription.end" | "notice.publish" | "notice.delete" | "job.cancel" | "batch.cancel" | "video.add" | "video.update" | "video.refresh" | "video.remove" | "tag.create" | "tag.update" | "tag.order" | "tag.merge" | "tag.delete" | "basics.order" | "worker.add" | "worker.change" | "agent-token.create" | "agent-token.revoke" | "agent-token.allow" | "requirement-request.close" | "upkeep.run";
        /** @description An action of an admin. */
        AuditEntryView: {
            /** Format: uuid */
            _id: string;
            action: components["schemas"]["AuditAction"];
            /** @description The admin's IP address. */
            address?: string | null;
            admin?: components["schemas"]["UserCard"] | null;
            /** @description The changed fields after; `null` if nothing is left. */
            after: unknown;
            /** @description The changed fields before, and the name of the object if it has one; `null` if there was nothing. */
            before: unknown;
            /** Format: date-time */
            createdAt: string;
            person?: components["schemas"]["UserCard"] | null;
            requestId?: string | null;
            /**
             * Format: uuid
             * @description The object of the action.
             */
            target: string;
        };
        /** @description A user's credits. */
        BalanceView: {
            /**
             * Format: int64
             * @description Available for the next job.
             */
            available: number;
            /**
             * Format: int64
             * @description Held by jobs that have not ended.
             */
            held: number;
        };
        /** @description A new ban. */
        BanBody: {
            /**
             * Format: int32
             * @description 1, 7 or 30; permanent by default.
             */
            days?: number | null;
            /** @description The reason shown to the user, 1 to 1000 characters. */
            reason: string;
        };
        /** @enum {string} */
        BannerAudienceWord: "Everyone" | "WithoutPaidPlan";
        /** @description A banner at the head of the pages. */
        BannerView: {
            /**
             * Format: uuid
             * @description Of the promotion.
             */
            _id: string;
            /** @description The text of the link. */
            labelEn: string;
            labelKo: string;
            /** @description A path of the site. */
            link: string;
            textEn: string;
            textKo: string;
        };
        /** @description A ban: the user can read but not take part. */
        BanView: {
            /** @description The reason shown to the user. */
            reason: string;
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description `null` for a permanent ban.
             */
            until?: string | null;
        };
        /** @description An order of the basic workflows. */
        BasicsOrderBody: {
            /** @description Each basic workflow, once. */
            ids: string[];
        };
        /** @description A batch's progress. */
        BatchStatusView: components["schemas"]["BatchView"] & {
            /**
             * Format: int64
             * @description Jobs that are pending or running.
             */
            active: number;
            /** Format: date-time */
            firstStartedAt?: string | null;
            /** Format: date-time */
            lastEndedAt?: string | null;
            /** @description Number of jobs by status, without zeros. */
            statuses: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description All of its jobs.
             */
            total: number;
        };
        /** @description Jobs sent in one file. */
        BatchView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: date-time
             * @description When its cancellation began; it accepts no more items.
             */
            cancelRequestedAt?: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When all of its jobs had ended and no upload was open. Later jobs reopen the batch, and this is null until
             *     they have ended too.
             */
            finishedAt?: string | null;
            /** @description The `Idempotency-Key` of its upload. */
            key?: string | null;
        };
        /** @description What a coupon gives: credits, days of a plan, or a lower price of a pack of credits. */
        BenefitView: {
            /**
             * Format: int64
             * @description Credits; `null` for other kinds.
             */
            amount?: number | null;
            /**
             * Format: int32
             * @description Days of the plan, or from the use of the coupon until the credits expire. `null` for credits: as many as this
             *     installation gives to all credits.
             */
            days?: number | null;
            kind: components["schemas"]["BenefitWord"];
            /**
             * Format: int32
             * @description Percent off the price of a pack of credits; `null` for other kinds.
             */
            percent?: number | null;
            /**
             * @description The name of a plan; `null` for other kinds.
             * @example Standard
             */
            plan?: string | null;
        };
        /** @enum {string} */
        BenefitWord: "Credits" | "Plan" | "PercentOff";
        /** @description A text in both languages. */
        BilingualView: {
            en: string;
            ko: string;
        };
        /** @description The user to block. */
        BlockBody: {
            /** Format: uuid */
            user: string;
        };
        /** @description A blocked user. */
        BlockView: {
            /** Format: date-time */
            createdAt: string;
            user: components["schemas"]["UserCard"];
        };
        /** @description How purchases are paid. */
        BuyingView: {
            /**
             * @description Currencies with a payment provider. Without any, buying is not set up on this installation. Plans in won are charged
             *     to a saved card; PayPal charges those in US dollars.
             */
            currencies: components["schemas"]["CurrencyWord"][];
            /** @description Whether payments move no money. */
            isTest: boolean;
        };
        /** @description A text in other languages. Pages show the original if theirs is missing. */
        ByLanguageView_SettingWordsView: {
            /** @description A setting's texts in one language; for missing ones the original is shown. */
            en?: {
                label?: string | null;
                title?: string | null;
            };
            /** @description A setting's texts in one language; for missing ones the original is shown. */
            ko?: {
                label?: string | null;
                title?: string | null;
            };
        };
        /** @description A text in other languages. Pages show the original if theirs is missing. */
        ByLanguageView_TranslationView: {
            /** @description Name and description in one language; for missing ones the original is shown. */
            en?: {
                /** @description HTML; it is sanitized. */
                description?: string | null;
                /** @description 1 to 100 characters. */
                name?: string | null;
            };
            /** @description Name and description in one language; for missing ones the original is shown. */
            ko?: {
                /** @description HTML; it is sanitized. */
                description?: string | null;
                /** @description 1 to 100 characters. */
                name?: string | null;
            };
        };
        /** @description Id and status. */
        CanceledView: {
            /** Format: uuid */
            _id: string;
            status: string;
        };
        /** @description A card. It goes to the provider, and is neither kept nor logged. */
        CardBody: {
            email?: string | null;
            /** Format: int32 */
            expirationMonth: number;
            /**
             * Format: int32
             * @description Four digits.
             */
            expirationYear: number;
            /** @description Six digits of the holder's birth, or ten digits of a company. */
            identityNumber: string;
            /** @description Whether the holder agrees to the terms. */
            isAgreed: boolean;
            /** @description The holder. */
            name: string;
            number: string;
            /** @description The first two digits of the card's password. */
            passwordDigits: string;
        };
        /** @description A case with everything needed to decide it. */
        CaseDetailView: components["schemas"]["CaseView"] & {
            authorBan?: components["schemas"]["BanView"] | null;
            /** @description Earlier decisions about its author, newest first. */
            history: components["schemas"]["DecisionView"][];
            now?: components["schemas"]["SnapshotView"] | null;
            /**
             * Format: uuid
             * @description The commented output.
             */
            outputAsset?: string | null;
            /** @description Newest first, at most 100. */
            reports: components["schemas"]["ReportView"][];
            /**
             * Format: uuid
             * @description The commented workflow.
             */
            workflow?: string | null;
        };
        /** @enum {string} */
        CaseState: "Open" | "Kept" | "Hidden" | "Deleted";
        /** @enum {string} */
        CaseVerdict: "Keep" | "Hide" | "Delete" | "Restore";
        /** @description All reports of one object, and their outcome. */
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
             * @description Reports without an answer.
             */
            openReports: number;
            /** Format: date-time */
            reportedAt: string;
            /**
             * Format: int32
             * @description Increases with every change of the case; a decision names the revision it is based on.
             */
            revision: number;
            /** @description At the last report. */
            seen: components["schemas"]["SnapshotView"];
            state: components["schemas"]["CaseState"];
            /**
             * Format: uuid
             * @description The object.
             */
            target: string;
        };
        /** @description The most credits that a user wants to spend; `null`: no ceiling. */
        CeilingsView: {
            /**
             * Format: int64
             * @description On one day of UTC, with what active jobs hold. A submit beyond it is refused with `CREDIT_CEILING`, and a run that
             *     needs more ends as `ExecutionTimeout`.
             */
            perDay?: number | null;
            /**
             * Format: int64
             * @description On one run. A run that reaches it ends as `ExecutionTimeout`.
             */
            perRun?: number | null;
        };
        /** @description Changes to a workflow; missing fields stay unchanged. */
        ChangesBody: {
            /**
             * Format: int32
             * @description The version that the new graph changes. If the workflow has another one by now, the answer is
             *     `WORKFLOW_CHANGED`.
             */
            baseVersion?: number | null;
            /**
             * Format: uuid
             * @description One of the caller's assets; `null` removes the cover.
             */
            cover?: string | null;
            description?: string | null;
            /** @description Whether it is a basic workflow; for admins only. */
            isBasic?: boolean | null;
            /** @description For admins only. */
            isNsfw?: boolean | null;
            isPrivate?: boolean | null;
            kind?: components["schemas"]["MarkedKindWord"] | null;
            name?: string | null;
            prompt?: components["schemas"]["GraphBody"] | null;
            /** @description The gallery in its order: 1 to 16 of the caller's assets. */
            thumbnails?: string[] | null;
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            /** @description Tags in their order: 1 to 5. */
            workflowTags?: string[] | null;
        };
        /** @enum {string} */
        ChangeTimeWord: "Now" | "AtPeriodEnd";
        /** @description What is charged on one day of UTC. */
        ChargeDayView: {
            /** Format: date */
            day: string;
            /**
             * Format: int64
             * @description Orders that failed.
             */
            failed: number;
            paid: components["schemas"]["ChargeSumView"][];
            /** @description Charges of subscriptions that go on: the next one of each, and one in each later month. */
            planned: components["schemas"]["ChargeSumView"][];
        };
        /** @description Charges of one day in one currency. */
        ChargeSumView: {
            /**
             * Format: int64
             * @description In the smallest unit of the currency.
             */
            amount: number;
            /** Format: int64 */
            count: number;
            currency: components["schemas"]["CurrencyWord"];
        };
        /** @description A user in the chat. */
        ChatMemberView: {
            /** @description HMAC-SHA256 of the id in hexadecimal, which proves the user's identity to the chat. */
            memberHash: string;
            memberId: string;
            pluginKey: string;
            scriptUrl: string;
        };
        /** @description The installation's chat. */
        ChatView: {
            member?: components["schemas"]["ChatMemberView"] | null;
        };
        /** @description Notifications to mark as read. */
        CheckBody: {
            ids: components["schemas"]["CheckedId"][];
        };
        /** @description One notification. */
        CheckedId: {
            /** Format: uuid */
            id: string;
            type?: components["schemas"]["NotificationKindOrAll"] | null;
        };
        /** @description How many became read. */
        CheckedView: {
            /** Format: int64 */
            checkedCount: number;
        };
        /** @description The code of a link in a mail. */
        CodeBody: {
            code: string;
        };
        /** @description A model file of the workers. */
        ComfyModelView: {
            _id: string;
            name: string;
        };
        /** @description New content of a comment. */
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
            /** @description Fewer than `limit` if some were deleted; the next page may have more. */
            items: components["schemas"]["CommentView"][];
            /** @description Pages are counted including deleted comments. */
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A comment, or an answer to one. */
        CommentView: {
            /** Format: uuid */
            _id: string;
            /** @description Sanitized HTML; empty if deleted, and for callers other than admins if hidden by a moderator. */
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
            /** @description Whether a moderator has hidden it: pages show a placeholder. */
            isHidden: boolean;
            /** @description The caller's opinion: `true` liked, `false` disliked, `null` neither. */
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
        /** @description A contact point. */
        ContactPointBody: {
            /**
             * Format: int32
             * @description Its position among the others; lower ones come first.
             */
            order: number;
            /** @description Empty removes it. */
            value: string;
        };
        /** @description Contact points by kind. */
        ContactPointsBody: {
            email?: components["schemas"]["ContactPointBody"] | null;
            homepage?: components["schemas"]["ContactPointBody"] | null;
            instagram?: components["schemas"]["ContactPointBody"] | null;
        };
        /** @description A contact point. */
        ContactPointView: {
            /** @description Its position, from 0. */
            order: number;
            value: string;
        };
        /** @description A workflow to copy. */
        CopyBody: {
            /** @description `Copy of …` by default or if empty. */
            name?: string | null;
            /** Format: uuid */
            workflow: string;
        };
        /** @enum {string} */
        CountryWord: "KR" | "Other";
        /** @description Unread notifications; 1000 means that many or more. */
        CountView: {
            /** @description The same for each type. */
            byType: {
                [key: string]: number;
            };
            /** Format: int64 */
            count: number;
        };
        /** @description A coupon to create. It has either a shared code or a number of codes that are used once each. */
        CouponBody: {
            benefit: components["schemas"]["BenefitView"];
            /**
             * @description A shared code: 4 to 40 letters, digits and hyphens, at least 4 without hyphens. Case, spaces and hyphens do not
             *     count when codes are compared.
             * @example WELCOME-2026
             */
            code?: string | null;
            /**
             * Format: int32
             * @description So many random codes.
             */
            codeCount?: number | null;
            /**
             * Format: date-time
             * @description In the future and after `startsAt`; never by default.
             */
            endsAt?: string | null;
            /**
             * Format: int32
             * @description Without a limit by default; with `codeCount` it is the number of codes.
             */
            maxUses?: number | null;
            name: string;
            /**
             * Format: date-time
             * @description At once by default.
             */
            startsAt?: string | null;
            /**
             * Format: int32
             * @description 1 by default.
             */
            usesPerAccount?: number | null;
        };
        /** @description A change of a coupon. What is left out stays; `null` removes a limit. */
        CouponChangeBody: {
            /**
             * Format: date-time
             * @description After `startsAt`.
             */
            endsAt?: string | null;
            isActive?: boolean | null;
            /**
             * Format: int32
             * @description At least the uses so far. It cannot be changed if each code is used once.
             */
            maxUses?: number | null;
            name?: string | null;
        };
        /** @description A use of a coupon, as admins see it. */
        CouponRedemptionView: {
            /** Format: uuid */
            _id: string;
            code: string;
            /** Format: date-time */
            usedAt: string;
            user?: components["schemas"]["UserCard"] | null;
        };
        /** @description A use of a coupon, as its user sees it. */
        CouponUseView: {
            /** Format: uuid */
            _id: string;
            benefit: components["schemas"]["BenefitView"];
            code: string;
            /** @description The coupon's name. */
            name: string;
            /**
             * Format: date-time
             * @description When the credits expire, or the plan ends as this use left it; `null` for a lower price.
             */
            until?: string | null;
            /** Format: date-time */
            usedAt: string;
        };
        /** @description A coupon. */
        CouponView: {
            /** Format: uuid */
            _id: string;
            benefit: components["schemas"]["BenefitView"];
            /** @description The code that all uses share; `null` if there are many codes and each is used once. */
            code?: string | null;
            /**
             * Format: int32
             * @description 1 for a shared code.
             */
            codeCount: number;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description `null`: never.
             */
            endsAt?: string | null;
            isActive: boolean;
            /**
             * Format: int32
             * @description `null`: without a limit.
             */
            maxUses?: number | null;
            name: string;
            /**
             * Format: date-time
             * @description `null`: at once.
             */
            startsAt?: string | null;
            /** Format: int32 */
            useCount: number;
            /** Format: int32 */
            usesPerAccount: number;
        };
        /** @description Balance and grants. */
        CreditView: components["schemas"]["BalanceView"] & {
            ceilings: components["schemas"]["CeilingsView"];
            /** @description In spending order. */
            grants: components["schemas"]["GrantView"][];
            /**
             * Format: int64
             * @description What was charged on this day of UTC.
             */
            spentToday: number;
        };
        /** @enum {string} */
        CurrencyWord: "KRW" | "USD";
        /** @description The promotions that the caller is offered now. */
        CurrentPromotionsView: {
            banner?: components["schemas"]["BannerView"] | null;
            /**
             * Format: int32
             * @description Percent of bonus credits with the first pack of credits that an account pays; `null` also for an account that has
             *     bought one.
             */
            firstPurchasePercent?: number | null;
        };
        /** @description The caller's subscription. */
        CurrentSubscriptionView: {
            subscription?: components["schemas"]["PaidSubscriptionView"] | null;
        };
        /** @description A page of a list. */
        Cursor_AdminOrderView: {
            items: (components["schemas"]["OrderView"] & {
                /**
                 * Format: int64
                 * @description Credits of the order that are neither used nor held, have not expired and were not taken back; `null` in lists, and
                 *     for what was given.
                 */
                creditsLeft?: number | null;
                /** @description Oldest first. */
                refunds: components["schemas"]["OrderRefundView"][];
                user?: components["schemas"]["UserCard"] | null;
            })[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_AdminShopItemView: {
            items: (components["schemas"]["ShopItemView"] & {
                /** Format: date-time */
                createdAt: string;
                /** @description Whether it is offered. */
                isActive: boolean;
            })[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_AdminSubscriptionView: {
            items: (components["schemas"]["PaidSubscriptionView"] & {
                user?: components["schemas"]["UserCard"] | null;
            })[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_AppVersionView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: date-time */
                createdAt: string;
                /** @description Whether runs that name no version use this one. */
                isCurrent: boolean;
                /**
                 * @description The path of its OpenAPI document. It needs no key if the app is published.
                 * @example /api/public/workflow-api/{id}/version/{version}/openapi
                 */
                openapi: string;
                /**
                 * @description The path of the call that always runs this version.
                 * @example /api/general/job/workflow-api/{id}/version/{version}
                 */
                run: string;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_AuditEntryView: {
            items: {
                /** Format: uuid */
                _id: string;
                action: components["schemas"]["AuditAction"];
                /** @description The admin's IP address. */
                address?: string | null;
                admin?: components["schemas"]["UserCard"] | null;
                /** @description The changed fields after; `null` if nothing is left. */
                after: unknown;
                /** @description The changed fields before, and the name of the object if it has one; `null` if there was nothing. */
                before: unknown;
                /** Format: date-time */
                createdAt: string;
                person?: components["schemas"]["UserCard"] | null;
                requestId?: string | null;
                /**
                 * Format: uuid
                 * @description The object of the action.
                 */
                target: string;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_BatchView: {
            items: {
                /** Format: uuid */
                _id: string;
                /**
                 * Format: date-time
                 * @description When its cancellation began; it accepts no more items.
                 */
                cancelRequestedAt?: string | null;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When all of its jobs had ended and no upload was open. Later jobs reopen the batch, and this is null until
                 *     they have ended too.
                 */
                finishedAt?: string | null;
                /** @description The `Idempotency-Key` of its upload. */
                key?: string | null;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
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
                 * @description Reports without an answer.
                 */
                openReports: number;
                /** Format: date-time */
                reportedAt: string;
                /**
                 * Format: int32
                 * @description Increases with every change of the case; a decision names the revision it is based on.
                 */
                revision: number;
                /** @description At the last report. */
                seen: components["schemas"]["SnapshotView"];
                state: components["schemas"]["CaseState"];
                /**
                 * Format: uuid
                 * @description The object.
                 */
                target: string;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_CommentView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description Sanitized HTML; empty if deleted, and for callers other than admins if hidden by a moderator. */
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
                /** @description Whether a moderator has hidden it: pages show a placeholder. */
                isHidden: boolean;
                /** @description The caller's opinion: `true` liked, `false` disliked, `null` neither. */
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
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_CouponRedemptionView: {
            items: {
                /** Format: uuid */
                _id: string;
                code: string;
                /** Format: date-time */
                usedAt: string;
                user?: components["schemas"]["UserCard"] | null;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_CouponUseView: {
            items: {
                /** Format: uuid */
                _id: string;
                benefit: components["schemas"]["BenefitView"];
                code: string;
                /** @description The coupon's name. */
                name: string;
                /**
                 * Format: date-time
                 * @description When the credits expire, or the plan ends as this use left it; `null` for a lower price.
                 */
                until?: string | null;
                /** Format: date-time */
                usedAt: string;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_CouponView: {
            items: {
                /** Format: uuid */
                _id: string;
                benefit: components["schemas"]["BenefitView"];
                /** @description The code that all uses share; `null` if there are many codes and each is used once. */
                code?: string | null;
                /**
                 * Format: int32
                 * @description 1 for a shared code.
                 */
                codeCount: number;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description `null`: never.
                 */
                endsAt?: string | null;
                isActive: boolean;
                /**
                 * Format: int32
                 * @description `null`: without a limit.
                 */
                maxUses?: number | null;
                name: string;
                /**
                 * Format: date-time
                 * @description `null`: at once.
                 */
                startsAt?: string | null;
                /** Format: int32 */
                useCount: number;
                /** Format: int32 */
                usesPerAccount: number;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
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
                 * @description The available credits after it.
                 */
                balanceAfter: number;
                /** Format: date-time */
                createdAt: string;
                /** Format: uuid */
                grant: string;
                /** Format: uuid */
                job?: string | null;
                /** @description `Grant`, `Hold`, `Capture`, `Release`, `Expire` or `Debit`. */
                kind: string;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
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
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_JobView: {
            items: {
                /** Format: uuid */
                _id: string;
                /**
                 * Format: int32
                 * @description How many times a worker was chosen for it.
                 */
                attempt: number;
                /**
                 * Format: uuid
                 * @description Its batch.
                 */
                batch?: string | null;
                /** Format: date-time */
                createdAt: string;
                credits: components["schemas"]["JobCredits"];
                /**
                 * Format: date-time
                 * @description When it must have ended, if its submit says so.
                 */
                deadline?: string | null;
                /** Format: int64 */
                durationMs?: number | null;
                /** Format: date-time */
                endedAt?: string | null;
                executeException?: unknown;
                /** @description As in the call `status`. */
                fault?: string | null;
                /** @description The submitted values of the form. */
                form?: unknown;
                /** @description The labels that its submit gave it. */
                labels: {
                    [key: string]: string;
                };
                /** @description `interactive`, `api`, `training` or `flex`. A promoted job has the lane of its submit. */
                lane: string;
                /** @description ComfyUI's `node_errors` of outputs that were left out because they cannot be made. */
                nodeErrors?: unknown;
                pool: string;
                priceClass: components["schemas"]["PriceClassWord"];
                /**
                 * Format: date-time
                 * @description When a job of the class `flex` stopped to wait for idle workers, because of its deadline or a long wait.
                 */
                promotedAt?: string | null;
                /**
                 * @description Of one ended job, requested by id: its nodes' results as in ComfyUI's history (node id → output type →
                 *     `filename`, `subfolder` and `type` of each file, or texts), with the `url` of each file. Else `null`.
                 *     `api-outputs` has more.
                 */
                promptResult?: unknown;
                result?: components["schemas"]["JobResult"] | null;
                seeds: Record<string, never>;
                /** Format: date-time */
                startedAt?: string | null;
                status: string;
                /**
                 * @description Outputs that it could not deliver. A job that delivered anything is `Done` all the same; one that can deliver
                 *     nothing ends as `WorkerExceptionError` and costs nothing.
                 */
                undelivered: components["schemas"]["UndeliveredView"][];
                validateException?: unknown;
                workflow?: components["schemas"]["WorkflowCard"] | null;
                /** Format: uuid */
                workflowApi?: string | null;
                /**
                 * Format: uuid
                 * @description The version of the mini app that it runs.
                 */
                workflowApiVersion?: string | null;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_ListedApiView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: uuid
                 * @description The same id, as the specification names it.
                 */
                id: string;
                /** @description Keyed `id.name`; for its owner and admins. */
                inputs?: unknown;
                /** @description Keyed by node id; for its owner and admins. */
                outputs?: unknown;
                /** @description The form, generated by the server. */
                rjsf: components["schemas"]["FormView"];
                /** Format: date-time */
                updatedAt: string;
                workflow: components["schemas"]["WorkflowCard"];
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_NoticeView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description Sanitized HTML. */
                contentEn: string;
                contentKo: string;
                /** Format: date-time */
                createdAt: string;
                titleEn: string;
                titleKo: string;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_NotificationView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description `WORKFLOW` or `GALLERY`; `null` if it is not about a post. */
                categoryType?: string | null;
                /** Format: date-time */
                checkedAt?: string | null;
                /** Format: uuid */
                comment?: string | null;
                /** @description The text; sanitized HTML for a notice. */
                content?: string | null;
                /** Format: date-time */
                createdAt: string;
                /** @description `VIEW`, `LIKE` or `LAUNCH`: the count that has reached `title.count`. */
                othersType?: string | null;
                outputAsset?: components["schemas"]["OutputAssetRef"] | null;
                /** @description Whether it is an answer to the recipient's own comment. */
                recomment: boolean;
                title: components["schemas"]["TitleView"];
                /** @description `COMMENT`, `LIKE`, `NOTICE`, `REQUESTS` or `OTHERS`. */
                type: string;
                user?: components["schemas"]["ActorView"] | null;
                /** Format: uuid */
                workflow?: string | null;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_OrderView: {
            items: {
                /** Format: uuid */
                _id: string;
                /**
                 * Format: int64
                 * @description What is charged, in the smallest unit of the currency.
                 */
                amount: number;
                /**
                 * Format: int64
                 * @description Bonus credits of a first purchase, in a grant of their own. They are promised until the order is paid; then 0 if
                 *     another purchase of the account was the first.
                 */
                bonusCredits: number;
                couponCode?: string | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: int64 */
                credits: number;
                currency?: components["schemas"]["CurrencyWord"] | null;
                declineReason?: components["schemas"]["DeclineReasonWord"] | null;
                /**
                 * Format: date-time
                 * @description When its credits expire.
                 */
                expiresAt?: string | null;
                failure?: components["schemas"]["OrderFailureWord"] | null;
                /** @description Whether it pays only the difference to a larger plan, for the rest of the month. */
                isChange: boolean;
                /** @description Whether the provider was asked to charge and its answer is not known. */
                isSettling: boolean;
                kind: components["schemas"]["ProductKindWord"];
                /**
                 * Format: int64
                 * @description The price before the discount of a coupon; `null` without one.
                 */
                listAmount?: number | null;
                /** @description The item's name and credits when it was ordered. */
                name: string;
                /** Format: date-time */
                paidAt?: string | null;
                /** @description Where the buyer approves the payment, while that is needed. */
                payAt?: string | null;
                /** Format: int32 */
                percentOff?: number | null;
                /** Format: date-time */
                periodFrom?: string | null;
                /**
                 * Format: date-time
                 * @description `null` for a plan that was given without an end.
                 */
                periodUntil?: string | null;
                /** @description The plan of which it pays a month, or which was given. */
                plan?: string | null;
                provider: components["schemas"]["OrderProviderWord"];
                /**
                 * Format: date-time
                 * @description Until when the buyer can have all money back; `null` if that is not possible, and for admins.
                 */
                refundableUntil?: string | null;
                /**
                 * Format: int64
                 * @description Of refunds that the provider has not refused.
                 */
                refundedAmount: number;
                /** Format: int64 */
                refundedBonusCredits: number;
                /** Format: int64 */
                refundedCredits: number;
                status: components["schemas"]["OrderStatusWord"];
                type: components["schemas"]["PaymentTypeWord"];
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_OutputAssetView: {
            items: {
                /** Format: uuid */
                _id: string;
                asset: components["schemas"]["OutputFile"];
                contentType: string;
                /** Format: date-time */
                createdAt: string;
                /** @description The address that downloads the file under that name. */
                downloadUrl?: string | null;
                /** Format: date-time */
                expiresAt?: string | null;
                /** @description The file name from the worker, for owner and admins. `null` if it has none. */
                fileName?: string | null;
                /** @description The file's extension: `png`. */
                format: string;
                /**
                 * @description Whether there is a smaller picture of it, or a poster. Pictures beyond the installation's limits have none:
                 *     their owner downloads them.
                 */
                hasPreview: boolean;
                /**
                 * Format: uuid
                 * @description The same id, as the specification names it.
                 */
                id: string;
                isNsfw: boolean;
                isPrivate: boolean;
                /** @description Whether it can be published: pictures with a preview, videos and audio files. */
                isPublishable: boolean;
                job: components["schemas"]["OutputJob"];
                key: string;
                /** @description `image`, `video`, `audio` or `file`. */
                kind: string;
                /** Format: int64 */
                likeCount: number;
                /** @description The caller's own id if they like it. Other users' likes are private. */
                likes: string[];
                moderation?: components["schemas"]["HiddenView"] | null;
                optimalUrl: string;
                rawUrl: string;
                /**
                 * @description Whether others see how it was made: the mini app and its settings, including the texts that its owner typed.
                 *     `true` unless its owner changes it.
                 */
                showsOrigin: boolean;
                user?: components["schemas"]["UserCard"] | null;
                /**
                 * Format: int64
                 * @description -1 if deleted.
                 */
                viewCount: number;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
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
                /** @description Distinguishes users of the same name: `#1234`. */
                nameTag: string;
                /** @description The plan that holds after it. */
                ownPlan: string;
                /** @description The plan in effect. */
                plan: string;
                /**
                 * Format: date-time
                 * @description The end of a plan that was given for a time.
                 */
                planUntil?: string | null;
                profile?: components["schemas"]["AssetView"] | null;
                /** @description `Customer`, and `Admin` for admins. */
                roles: string[];
                /** @description Sign-in providers: `Google`, `Discord`. */
                signInWith: string[];
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_PromotionView: {
            items: {
                /** Format: uuid */
                _id: string;
                audience?: components["schemas"]["BannerAudienceWord"] | null;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description `null`: never.
                 */
                endsAt?: string | null;
                isActive: boolean;
                kind: components["schemas"]["PromotionKindWord"];
                labelEn?: string | null;
                labelKo?: string | null;
                link?: string | null;
                name: string;
                /**
                 * Format: int32
                 * @description Percent of bonus credits with a first purchase.
                 */
                percent?: number | null;
                /**
                 * Format: date-time
                 * @description `null`: at once.
                 */
                startsAt?: string | null;
                textEn?: string | null;
                textKo?: string | null;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_SharedApiView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** Format: date-time */
                createdAt: string;
                owner: components["schemas"]["SharerView"];
                workflowApi: components["schemas"]["SharedAppView"];
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
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
                /** @description The user agent. */
                userAgent?: string | null;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_UserCard: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description Whether the account was deleted; `name` is a placeholder then, which pages show in their language. */
                isDeleted?: boolean;
                name: string;
                profile?: components["schemas"]["AssetView"] | null;
                socialProfile?: string | null;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_VersionView: {
            items: {
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: int64
                 * @description Bytes of the graph.
                 */
                sizeBytes: number;
                /**
                 * Format: int32
                 * @description From 1; the highest is the latest.
                 */
                version: number;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_VideoView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description The channel. */
                author_name: string;
                /** @description The channel's address on YouTube. */
                authorUrl?: string | null;
                /**
                 * Format: date-time
                 * @description When YouTube was last asked.
                 */
                checkedAt: string;
                /** Format: date-time */
                createdAt: string;
                /** @description What the frame of `html` shows. */
                frameUrl: string;
                /** @description An iframe on the host without cookies, made by this server from the checked id. */
                html: string;
                /** @description Whether the video is available on YouTube. Unavailable ones are shown only to admins. */
                isAvailable: boolean;
                name: string;
                poster?: components["schemas"]["AssetView"] | null;
                /** @description The page on YouTube. */
                url: string;
                /** Format: date-time */
                youtubeCreatedAt: string;
                /** @description YouTube's id: eleven letters, digits, `-` and `_`. */
                youtubeId: string;
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
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
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description A page of a list. */
        Cursor_WorkflowView: {
            items: {
                /** Format: uuid */
                _id: string;
                cover?: components["schemas"]["AssetView"] | null;
                /** Format: date-time */
                createdAt: string;
                /** @description Sanitized HTML. Lists have only its beginning. */
                description: string;
                /** Format: date-time */
                editedAt: string;
                /** @description Whether it is a basic workflow. */
                isBasic: boolean;
                isLiked: boolean;
                isNsfw: boolean;
                isPrivate: boolean;
                /**
                 * @description `comfy`; `workflow-api` with a mini app; `easyapp` where that is published; `figma` and `generator` as admins
                 *     marked it.
                 */
                kind: string;
                /** Format: int64 */
                launchCount: number;
                /** Format: int64 */
                likeCount: number;
                /** @description The caller's own id if they like it. Other users' likes are only counted. */
                likes: string[];
                /** @description Outputs of the mini app: `image`, `video`, `audio`, `text` or `file`. */
                makes: string[];
                name: string;
                /** Format: date-time */
                publishedAt?: string | null;
                /** @description Inputs of the mini app beside its settings: `image`, `video`, `audio`, `textfile`, and `text` for a prompt. */
                takes: string[];
                /** @description The gallery. Lists have only the cover. */
                thumbnails: components["schemas"]["AssetView"][];
                translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
                user?: components["schemas"]["UserCard"] | null;
                /**
                 * Format: int32
                 * @description Number of the graph's version.
                 */
                version: number;
                /** Format: int64 */
                viewCount: number;
                /**
                 * Format: uuid
                 * @description The mini app on it; its presence makes the workflow an "easy app".
                 */
                workflowApi?: string | null;
                /** @description Whether some worker can run the mini app now; `null` while unknown. */
                workflowApiWorks?: boolean | null;
                workflowTags: components["schemas"]["WorkflowTagCard"][];
            }[];
            /** @description Send it back as `cursor` for the next page; `null` at the end. */
            nextCursor?: string | null;
        };
        /** @description Credits to take back. */
        DebitBody: {
            /**
             * Format: int64
             * @description 1 to 1,000,000,000,000, and at most what is left of the grant.
             */
            amount: number;
            /** @description For the audit log. */
            reason: string;
            /**
             * @description The source of the grant, as the user's `money` has it; not one of an order.
             * @example operator:thanks
             */
            source: string;
            /**
             * Format: uuid
             * @description Whose credits.
             */
            user: string;
        };
        /** @description A decision. */
        DecideBody: {
            ban?: components["schemas"]["BanBody"] | null;
            /**
             * Format: int32
             * @description The revision of the case that the moderator saw.
             */
            revision: number;
            verdict: components["schemas"]["CaseVerdict"];
            /** @description A warning to the author, 1 to 1000 characters. */
            warning?: string | null;
        };
        /** @description An entry of a user's moderation history. */
        DecisionView: {
            /** Format: uuid */
            _id: string;
            admin?: components["schemas"]["UserCard"] | null;
            /**
             * Format: uuid
             * @description The case; `null` if it was about the user only.
             */
            case?: string | null;
            /** Format: date-time */
            createdAt: string;
            kind: components["schemas"]["DecisionWord"];
            /** @description The text shown to the user. */
            text: string;
            /**
             * Format: date-time
             * @description The end of a ban; `null` for a permanent one.
             */
            until?: string | null;
        };
        /** @enum {string} */
        DecisionWord: "Keep" | "Hide" | "Delete" | "Restore" | "Warn" | "Ban" | "Unban";
        /** @enum {string} */
        DeclineReasonWord: "INVALID_CARD_NUMBER" | "INVALID_CARD_EXPIRATION" | "INVALID_CARD_PASSWORD" | "INVALID_CARD_IDENTITY" | "INVALID_STOPPED_CARD" | "INVALID_CARD_LOST_OR_STOLEN" | "NOT_SUPPORTED_CARD_TYPE" | "REJECT_CARD_COMPANY" | "REJECT_CARD_PAYMENT" | "EXCEED_MAX_AMOUNT" | "EXCEED_MAX_DAILY_PAYMENT_COUNT" | "BELOW_MINIMUM_AMOUNT" | "FDS_ERROR" | "INVALID_BILL_KEY_REQUEST";
        /** @description How many were deleted. */
        DeletedView: {
            /** Format: int64 */
            deletedCount: number;
        };
        /** @description An unsaved graph to keep. */
        DraftBody: {
            /**
             * Format: int32
             * @description The version of the workflow that the draft changes.
             */
            baseVersion?: number | null;
            name: string;
            /** @description The page that writes; each load of the editor has its own word. */
            page: string;
            /**
             * Format: uuid
             * @description The revision that the page read or wrote last.
             */
            revision?: string | null;
            /** @description The editor's graph. */
            workflow: Record<string, never>;
        };
        /** @description An unsaved graph. */
        DraftView: {
            /**
             * Format: int32
             * @description The version of the workflow that it changes; `null` for a project that was never saved.
             */
            baseVersion?: number | null;
            name: string;
            /**
             * Format: uuid
             * @description Changes with each write.
             */
            revision: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The JSON text of the editor's graph. */
            workflow: string;
        };
        /** @description The workflow that is edited. */
        EditedView: {
            /** Format: uuid */
            _id: string;
            name: string;
        };
        /** @description A node of the workflow, with ComfyUI's field names. */
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
            /** @description The node's title in the workflow. */
            title: string;
        };
        /** @description What the editor of a mini app starts from. */
        EditorView: {
            /**
             * @description Where the graph brings an app of ComfyUI, the proposal is this app. Names the inputs and outputs of the app that
             *     a mini app cannot have. Left out where the graph brings none.
             */
            dropped?: string[] | null;
            /** @description Whether the workflow has a prompt in API format; without one there are no nodes. */
            hasPrompt: boolean;
            /** @description By their ids. */
            nodes: components["schemas"]["EditorNodeView"][];
            /** @description What output nodes offer: `id`, `order`, `name`, `apiFieldName`. */
            outputs: unknown[];
            proposal: components["schemas"]["ProposalView"];
            saved?: components["schemas"]["WorkflowApiView"] | null;
            workflow: components["schemas"]["EditedView"];
        };
        /** @enum {string} */
        EndReasonWord: "Canceled" | "PaymentFailed" | "Refunded" | "AccountClosed" | "Declined" | "EndedByOperator" | "NotApproved";
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
             * @description The available credits after it.
             */
            balanceAfter: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            grant: string;
            /** Format: uuid */
            job?: string | null;
            /** @description `Grant`, `Hold`, `Capture`, `Release`, `Expire` or `Debit`. */
            kind: string;
        };
        /** @description The body of every error. */
        ErrorBody: {
            /**
             * @description For programs: what to switch on. Later versions may have more; a code keeps its meaning.
             * @enum {string}
             */
            code: "BAD_REQUEST" | "VALIDATION_FAILED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "UNAVAILABLE" | "INTERNAL" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "REQUEST_TIMEOUT" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "XSRF_MISMATCH" | "AUTH_LOGIN_REQUIRED" | "AUTH_WRONG_CREDENTIALS" | "AUTH_ALREADY_EMAIL" | "AUTH_LINKED_GOOGLE" | "AUTH_LINKED_DISCORD" | "AUTH_TERMS_REQUIRED" | "AUTH_DISABLED" | "AUTH_EMAIL_UNVERIFIED" | "AUTH_LINK_INVALID" | "AUTH_CODE_WRONG" | "AUTH_CODE_EXPIRED" | "AUTH_SOCIAL_EXPIRED" | "AUTH_SOCIAL_REFUSED" | "AUTH_SOCIAL_EMAIL" | "AUTH_IDENTITY_EXISTS" | "AUTH_IDENTITY_TAKEN" | "AUTH_LAST_WAY" | "SESSION_REQUIRED" | "API_KEY_INVALID" | "API_KEY_LIMIT" | "ACCOUNT_BANNED" | "STEALTH_MODE_REQUIRED" | "TOO_MANY_BLOCKS" | "UNSUBSCRIBE_LINK_INVALID" | "OUT_OF_CREDITS" | "CREDIT_LIMIT" | "CREDIT_CEILING" | "HOLD_ENDED" | "CREDITS_USED" | "STORAGE_FULL" | "COUPON_UNKNOWN" | "COUPON_NOT_STARTED" | "COUPON_ENDED" | "COUPON_USED" | "COUPON_USED_UP" | "COUPON_PLAN_NOT_NOW" | "COUPON_CODE_TAKEN" | "COUPON_FOR_PURCHASES" | "COUPON_NOT_FOR_PURCHASES" | "TERMS_NOT_AGREED" | "BUYING_NOT_SET_UP" | "ORDER_NOT_CANCELABLE" | "ORDER_NOT_REFUNDABLE" | "PLAN_IS_OFFERED" | "NO_PAYMENT_METHOD" | "SUBSCRIPTION_EXISTS" | "SUBSCRIPTION_NOT_CHANGEABLE" | "SUBSCRIPTION_AT_PAYPAL" | "PLAN_NOT_BETTER" | "PRICE_CHANGED" | "PAYMENT_METHOD_NOT_READY" | "DEFAULT_PAYMENT_METHOD" | "CARD_REFUSED" | "TEST_PAYMENT_ANSWERED" | "FILE_EMPTY" | "FILE_TRUNCATED" | "FILE_TOO_LARGE" | "FILE_TOO_LONG" | "FILE_FORMAT_UNSUPPORTED" | "FILE_SIDES_UNSUPPORTED" | "FILE_NOT_AN_IMAGE" | "FILE_NOT_MEDIA" | "FILE_NOT_TEXT" | "FILE_MEDIA_UNAVAILABLE" | "ASSET_IN_USE" | "BLOB_NOT_FOUND" | "URL_IMPORT_NOT_SUPPORTED" | "INVALID_PROMPT" | "DEADLINE_NOT_POSSIBLE" | "IDEMPOTENCY_MISMATCH" | "IDEMPOTENCY_IN_FLIGHT" | "WEBHOOK_LIMIT" | "WEBHOOK_URL_REFUSED" | "WEBHOOK_DISABLED" | "WEBHOOK_ATTEMPTS" | "EVENTS_FORGOTTEN" | "EVENTS_CURSOR_AHEAD" | "BATCH_CANCELED" | "GRANT_REASON_USED" | "AGENT_TOKEN_INVALID" | "UPGRADE_REQUIRED" | "WORKER_ADDRESS_CREDENTIALS" | "WORKER_ADDRESS_TAKEN" | "WORKFLOW_API_NO_PROMPT" | "WORKFLOW_API_NO_INPUT" | "WORKFLOW_API_NO_OUTPUT" | "WORKFLOW_API_UNHEALTHY" | "SHARE_USER_UNKNOWN" | "SHARE_WITH_YOURSELF" | "SHARED_ALREADY" | "SHARE_LIMIT" | "DRAFT_CHANGED" | "WORKFLOW_CHANGED" | "GALLERY_PAUSED" | "NOT_PUBLISHABLE" | "LIKE_OWN" | "LIKE_PRIVATE" | "VIDEO_EXISTS" | "VIDEO_UNAVAILABLE" | "TAG_NAME_TAKEN" | "TAG_TOO_MANY" | "TAG_IN_USE" | "TAG_HAS_CHILDREN" | "REPORT_OWN" | "POST_LOCKED" | "MODERATION_LOCKED" | "COMMENT_HIDDEN" | "CASE_CHANGED" | "CASE_STATE" | "CASE_THING_GONE" | "NOT_BANNED" | "BAN_ADMIN" | "ROLE_OWN" | "LAST_ADMIN";
            /** @description For programs: wrong fields as `[{"field", "message"}]`, ComfyUI's validation result, …. */
            details?: unknown;
            /** @description For people; its wording may change. */
            message: string;
            /** @description The request's id in the logs. */
            requestId: string;
        };
        /** @description What an error code means for a client. */
        ErrorCodeView: {
            code: string;
            /** @description What `details` has; empty for nothing. */
            details: string;
            /** @description Where the cause is: `request`, `graph`, `account` or `server`. */
            fault: string;
            /** @description Whether the same call may succeed later without a change. */
            mayRetry: boolean;
            /** @description What to do next. */
            next: string;
            /** @description The HTTP statuses that come with it. */
            statuses: number[];
        };
        /** @description One of several errors in a response; the response's own request id names them all. */
        ErrorLine: {
            /**
             * @description For programs: what to switch on. Later versions may have more; a code keeps its meaning.
             * @enum {string}
             */
            code: "BAD_REQUEST" | "VALIDATION_FAILED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "UNAVAILABLE" | "INTERNAL" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "REQUEST_TIMEOUT" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "XSRF_MISMATCH" | "AUTH_LOGIN_REQUIRED" | "AUTH_WRONG_CREDENTIALS" | "AUTH_ALREADY_EMAIL" | "AUTH_LINKED_GOOGLE" | "AUTH_LINKED_DISCORD" | "AUTH_TERMS_REQUIRED" | "AUTH_DISABLED" | "AUTH_EMAIL_UNVERIFIED" | "AUTH_LINK_INVALID" | "AUTH_CODE_WRONG" | "AUTH_CODE_EXPIRED" | "AUTH_SOCIAL_EXPIRED" | "AUTH_SOCIAL_REFUSED" | "AUTH_SOCIAL_EMAIL" | "AUTH_IDENTITY_EXISTS" | "AUTH_IDENTITY_TAKEN" | "AUTH_LAST_WAY" | "SESSION_REQUIRED" | "API_KEY_INVALID" | "API_KEY_LIMIT" | "ACCOUNT_BANNED" | "STEALTH_MODE_REQUIRED" | "TOO_MANY_BLOCKS" | "UNSUBSCRIBE_LINK_INVALID" | "OUT_OF_CREDITS" | "CREDIT_LIMIT" | "CREDIT_CEILING" | "HOLD_ENDED" | "CREDITS_USED" | "STORAGE_FULL" | "COUPON_UNKNOWN" | "COUPON_NOT_STARTED" | "COUPON_ENDED" | "COUPON_USED" | "COUPON_USED_UP" | "COUPON_PLAN_NOT_NOW" | "COUPON_CODE_TAKEN" | "COUPON_FOR_PURCHASES" | "COUPON_NOT_FOR_PURCHASES" | "TERMS_NOT_AGREED" | "BUYING_NOT_SET_UP" | "ORDER_NOT_CANCELABLE" | "ORDER_NOT_REFUNDABLE" | "PLAN_IS_OFFERED" | "NO_PAYMENT_METHOD" | "SUBSCRIPTION_EXISTS" | "SUBSCRIPTION_NOT_CHANGEABLE" | "SUBSCRIPTION_AT_PAYPAL" | "PLAN_NOT_BETTER" | "PRICE_CHANGED" | "PAYMENT_METHOD_NOT_READY" | "DEFAULT_PAYMENT_METHOD" | "CARD_REFUSED" | "TEST_PAYMENT_ANSWERED" | "FILE_EMPTY" | "FILE_TRUNCATED" | "FILE_TOO_LARGE" | "FILE_TOO_LONG" | "FILE_FORMAT_UNSUPPORTED" | "FILE_SIDES_UNSUPPORTED" | "FILE_NOT_AN_IMAGE" | "FILE_NOT_MEDIA" | "FILE_NOT_TEXT" | "FILE_MEDIA_UNAVAILABLE" | "ASSET_IN_USE" | "BLOB_NOT_FOUND" | "URL_IMPORT_NOT_SUPPORTED" | "INVALID_PROMPT" | "DEADLINE_NOT_POSSIBLE" | "IDEMPOTENCY_MISMATCH" | "IDEMPOTENCY_IN_FLIGHT" | "WEBHOOK_LIMIT" | "WEBHOOK_URL_REFUSED" | "WEBHOOK_DISABLED" | "WEBHOOK_ATTEMPTS" | "EVENTS_FORGOTTEN" | "EVENTS_CURSOR_AHEAD" | "BATCH_CANCELED" | "GRANT_REASON_USED" | "AGENT_TOKEN_INVALID" | "UPGRADE_REQUIRED" | "WORKER_ADDRESS_CREDENTIALS" | "WORKER_ADDRESS_TAKEN" | "WORKFLOW_API_NO_PROMPT" | "WORKFLOW_API_NO_INPUT" | "WORKFLOW_API_NO_OUTPUT" | "WORKFLOW_API_UNHEALTHY" | "SHARE_USER_UNKNOWN" | "SHARE_WITH_YOURSELF" | "SHARED_ALREADY" | "SHARE_LIMIT" | "DRAFT_CHANGED" | "WORKFLOW_CHANGED" | "GALLERY_PAUSED" | "NOT_PUBLISHABLE" | "LIKE_OWN" | "LIKE_PRIVATE" | "VIDEO_EXISTS" | "VIDEO_UNAVAILABLE" | "TAG_NAME_TAKEN" | "TAG_TOO_MANY" | "TAG_IN_USE" | "TAG_HAS_CHILDREN" | "REPORT_OWN" | "POST_LOCKED" | "MODERATION_LOCKED" | "COMMENT_HIDDEN" | "CASE_CHANGED" | "CASE_STATE" | "CASE_THING_GONE" | "NOT_BANNED" | "BAN_ADMIN" | "ROLE_OWN" | "LAST_ADMIN";
            /** @description As in [`ErrorBody`]. */
            details?: unknown;
            /** @description For people; its wording may change. */
            message: string;
        };
        /** @description Bounds of an estimate. */
        EtaView: {
            /** Format: int64 */
            high: number;
            /** Format: int64 */
            low: number;
        };
        /** @description An event; a webhook's body is the same. */
        EventView: {
            /**
             * @description The object (`job`, `batch`, `workflowApi`), its facts, and `links`. Of a job: `status`, `attempt`, the times,
             *     `creditsUsed`, `error`, and the first 50 `outputs` as `nodeId`, `type` and `outputAsset`; of a running one its
             *     `percent`. Of a batch: `key`, `total`, `createdAt`, `finishedAt`, and `counts` by status.
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
        /** @description By earlier runs. Few runs exceed the upper values. */
        ExpectedRunView: {
            /** Format: int64 */
            credits: number;
            /** Format: int64 */
            runMs: number;
            /** Format: int64 */
            upperCredits: number;
            /** Format: int64 */
            upperRunMs: number;
        };
        /** @description A graph to export, in the editor's format. */
        ExportBody: {
            workflow: Record<string, never>;
        };
        /** @description Confirms that the caller means it. */
        FarewellBody: {
            /** @description Required otherwise: the account's name. */
            name?: string | null;
            /**
             * Format: password
             * @description Required if the account has a password.
             */
            password?: string | null;
        };
        /** @description A page of the feed. */
        FeedView: {
            /** @description In their order. */
            items: components["schemas"]["EventView"][];
            /** @description Send it as `after` next time. It is never missing. */
            nextCursor: string;
        };
        /** @description A file among the outputs. */
        FileOutputView: {
            contentType: string;
            /** @description The address that downloads the file under that name. */
            downloadUrl?: string | null;
            /** @description The file name from the worker. `null` for pictures that are in no folder of the worker. */
            fileName?: string | null;
            /** @description Whether there is a smaller picture of it, or a poster. Pictures beyond the installation's limits have none. */
            hasPreview: boolean;
            /** Format: int32 */
            height?: number | null;
            /** @description The file with prompt and graph in it, if there is one, for the owner of what ran. */
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
        /** @description A change to several items. One of the two fields. */
        FlagBody: {
            /** @description For admins alone. */
            isNsfw?: boolean | null;
            isPrivate?: boolean | null;
        };
        /** @description The price of the same run in the class `flex`. */
        FlexQuoteView: {
            expected?: components["schemas"]["ExpectedRunView"] | null;
            /** Format: int64 */
            mostCredits: number;
            /** Format: int64 */
            mostRunMs: number;
            /**
             * Format: int32
             * @description The part of the pool's price that it costs; 100 if the installation has no lower price.
             */
            percent: number;
        };
        /** @description The price of all runs in the class `flex`. */
        FlexTotalView: {
            expected?: components["schemas"]["ExpectedRunView"] | null;
            /** Format: int64 */
            mostCredits: number;
        };
        /** @description The address of a forgotten password. */
        ForgotBody: {
            /** @example ann@example.com */
            email: string;
        };
        /** @description A form as JSON schema and UI schema. */
        FormView: {
            schema: unknown;
            uiSchema: unknown;
        };
        /** @description The caller's draft, or `null`. */
        FoundDraftView: {
            draft?: components["schemas"]["DraftView"] | null;
        };
        /** @description One output: whole, or the graph that made it. */
        FoundOutputView: components["schemas"]["OutputAssetView"] | components["schemas"]["OutputGraphView"];
        /** @description Workflows, pictures and users that match a text, the best of each first. */
        FoundView: {
            /**
             * Format: int64
             * @description `skip` of the next results; `null` where no kind has more.
             */
            nextSkip?: number | null;
            people: components["schemas"]["UserCard"][];
            pictures: components["schemas"]["OutputAssetView"][];
            workflows: components["schemas"]["WorkflowView"][];
        };
        /** @description One workflow, or its graph with `select=prompt name`. */
        FoundWorkflowView: components["schemas"]["WorkflowView"] | components["schemas"]["WorkflowGraphView"];
        /** @description All generators, and the models of the workers. */
        GeneratorPageView: {
            generators: components["schemas"]["GeneratorStateView"][];
            models: components["schemas"]["WorkerModelView"][];
            /** @description What an admin can say a file is like. */
            names: components["schemas"]["ModelNameView"][];
        };
        /** @description A generator on the page of admins. */
        GeneratorStateView: {
            /** @description Why it could not be made or renewed. */
            failure?: string | null;
            family?: string | null;
            /** @description Whether a connected worker has its nodes and models. */
            isLive: boolean;
            licence?: components["schemas"]["LicenceView"] | null;
            /**
             * Format: double
             * @description Memory of the graphics card that it needs, in GiB.
             */
            memoryGib?: number | null;
            /** @description The main model as the workers name it; empty for a recipe without models. */
            model: string;
            recipe: string;
            task: string;
            /** Format: uuid */
            workflow?: string | null;
        };
        /** @description A generator that a connected worker can run. */
        GeneratorView: {
            app: components["schemas"]["WorkflowView"];
            /**
             * @description `TextToImage`, `ImageToImage`, `Inpaint`, `Upscale`, `TextToVideo`, `ImageToVideo`, `FramesToVideo`,
             *     `VideoToVideo`, `TextToAudio`, `SoundToSound`, `TextTo3D`, `ImageTo3D`, `RemoveBackground`, `SwapFace` or
             *     `DescribeImage`.
             */
            task: string;
        };
        /** @description A plan that was given for a time. */
        GivenPlanView: {
            plan: string;
            /** Format: date-time */
            until: string;
        };
        /** @description A plan to give. */
        GivePlanBody: {
            /**
             * @description The name of a plan.
             * @example Pro
             */
            plan: string;
            /**
             * Format: date-time
             * @description The user's own plan holds again from then on. `null` or left out: the plan becomes the user's own, without an end.
             */
            until?: string | null;
        };
        /** @description Credits to grant. */
        GrantBody: {
            /**
             * Format: int64
             * @description 1 to 1,000,000,000,000.
             */
            amount: number;
            /**
             * Format: date-time
             * @description When the unspent rest expires, in the future; never by default.
             */
            expiresAt?: string | null;
            kind?: components["schemas"]["GrantWord"] | null;
            /** @description The reason. The same reason grants credits to a user only once. */
            reason: string;
            /**
             * Format: uuid
             * @description Who gets them.
             */
            user: string;
        };
        /** @description Credits granted together, with one expiry. */
        GrantView: {
            /** Format: uuid */
            _id: string;
            /** Format: int64 */
            amount: number;
            /**
             * Format: int64
             * @description Taken back, for example by the refund of an order.
             */
            debited: number;
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
        /** @description A graph: an object, or its JSON text, as browsers store it. */
        GraphBody: string | Record<string, never>;
        /** @description Whether the node can run jobs, and why not. */
        HealthView: {
            /**
             * Format: int64
             * @description Restarts of the built-in worker's process since the node started; 0 without one.
             */
            builtinWorkerRestarts: number;
            /** @description `ok`, or the problem. */
            database: string;
            /** @description Parts of this node that have panicked and restarted since its start. Empty if there are none. */
            panics: components["schemas"]["PartView"][];
            reason?: string | null;
            /** @description `ok` or `unavailable`. */
            status: string;
            /** @description `ok`, or `away` if files can be neither stored nor read: jobs are accepted and wait. */
            storage: string;
            /** @description `ok` if videos get sizes and posters, else why not; jobs run all the same. */
            videos: string;
            /** @description Number of workers in each state: `{"idle": 1}`. */
            workers: {
                [key: string]: number;
            };
        };
        /** @description Why a moderator hid an output. */
        HiddenView: {
            /** @description The reason of the report; empty if another output with the same file was hidden. */
            reasons: components["schemas"]["ReportReason"][];
        };
        /** @description A picture to keep. */
        InputAssetBody: {
            /**
             * Format: uuid
             * @description An asset of the caller's.
             */
            asset: string;
            /** @description Whether only the caller may see the picture; `true` by default. */
            isPrivate?: boolean;
        };
        /** @description A file that its owner may use as an input. */
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
        /** @description Whether the pictures of inputs are private. */
        InputPrivacyBody: {
            isPrivate: boolean;
        };
        /** @description One item of a batch: a mini app with a form, or a raw prompt. */
        ItemBody: {
            /**
             * Format: date-time
             * @description As the parameter of that name, which is the default.
             */
            deadline?: string | null;
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
            /** @description Labels, by which the job is found again. A value is in one line. */
            labels?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description The most that the job may cost.
             */
            maxCredits?: number | null;
            priceClass?: components["schemas"]["PriceClassWord"] | null;
            /** @description A prompt in ComfyUI's API format: node id → node. */
            prompt?: Record<string, never> | null;
            /** @description Refuses the prompt where any of its outputs cannot be made. */
            strict?: boolean | null;
            /**
             * Format: uuid
             * @description The version of the mini app; the current one by default.
             */
            version?: string | null;
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
                 * @description When an agent last connected with it.
                 */
                lastUsedAt?: string | null;
                name: string;
                /** @description The pools that its agents may join. */
                pools: string[];
                /** @description The first characters of the token. */
                prefix: string;
                /**
                 * Format: int64
                 * @description Its agents whose workers were removed, and that may not connect.
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
                 * @description When it last connected.
                 */
                connectedAt: string;
                driver?: string | null;
                gpus: components["schemas"]["AgentGpuView"][];
                /** @description Left out in lists. */
                models: components["schemas"]["AgentModelView"][];
                name: string;
                /**
                 * Format: uuid
                 * @description The node that it is connected to; none while it is disconnected.
                 */
                node?: string | null;
                /** @description The agent's note on its server. */
                note?: string | null;
                os?: string | null;
                /** @description The name of its token. */
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
                /** @description The key's first characters, to recognize it by. */
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
                /** @description Sanitized HTML; empty if deleted, and for callers other than admins if hidden by a moderator. */
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
                /** @description Whether a moderator has hidden it: pages show a placeholder. */
                isHidden: boolean;
                /** @description The caller's opinion: `true` liked, `false` disliked, `null` neither. */
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
        Items_ErrorCodeView: {
            items: {
                code: string;
                /** @description What `details` has; empty for nothing. */
                details: string;
                /** @description Where the cause is: `request`, `graph`, `account` or `server`. */
                fault: string;
                /** @description Whether the same call may succeed later without a change. */
                mayRetry: boolean;
                /** @description What to do next. */
                next: string;
                /** @description The HTTP statuses that come with it. */
                statuses: number[];
            }[];
        };
        /** @description A whole list. */
        Items_GeneratorView: {
            items: {
                app: components["schemas"]["WorkflowView"];
                /**
                 * @description `TextToImage`, `ImageToImage`, `Inpaint`, `Upscale`, `TextToVideo`, `ImageToVideo`, `FramesToVideo`,
                 *     `VideoToVideo`, `TextToAudio`, `SoundToSound`, `TextTo3D`, `ImageTo3D`, `RemoveBackground`, `SwapFace` or
                 *     `DescribeImage`.
                 */
                task: string;
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
                /** @description `WORKFLOW` or `GALLERY`; `null` if it is not about a post. */
                categoryType?: string | null;
                /** Format: date-time */
                checkedAt?: string | null;
                /** Format: uuid */
                comment?: string | null;
                /** @description The text; sanitized HTML for a notice. */
                content?: string | null;
                /** Format: date-time */
                createdAt: string;
                /** @description `VIEW`, `LIKE` or `LAUNCH`: the count that has reached `title.count`. */
                othersType?: string | null;
                outputAsset?: components["schemas"]["OutputAssetRef"] | null;
                /** @description Whether it is an answer to the recipient's own comment. */
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
                /** @description The address that downloads the file under that name. */
                downloadUrl?: string | null;
                /** Format: date-time */
                expiresAt?: string | null;
                /** @description The file name from the worker, for owner and admins. `null` if it has none. */
                fileName?: string | null;
                /** @description The file's extension: `png`. */
                format: string;
                /**
                 * @description Whether there is a smaller picture of it, or a poster. Pictures beyond the installation's limits have none:
                 *     their owner downloads them.
                 */
                hasPreview: boolean;
                /**
                 * Format: uuid
                 * @description The same id, as the specification names it.
                 */
                id: string;
                isNsfw: boolean;
                isPrivate: boolean;
                /** @description Whether it can be published: pictures with a preview, videos and audio files. */
                isPublishable: boolean;
                job: components["schemas"]["OutputJob"];
                key: string;
                /** @description `image`, `video`, `audio` or `file`. */
                kind: string;
                /** Format: int64 */
                likeCount: number;
                /** @description The caller's own id if they like it. Other users' likes are private. */
                likes: string[];
                moderation?: components["schemas"]["HiddenView"] | null;
                optimalUrl: string;
                rawUrl: string;
                /**
                 * @description Whether others see how it was made: the mini app and its settings, including the texts that its owner typed.
                 *     `true` unless its owner changes it.
                 */
                showsOrigin: boolean;
                user?: components["schemas"]["UserCard"] | null;
                /**
                 * Format: int64
                 * @description -1 if deleted.
                 */
                viewCount: number;
            }[];
        };
        /** @description A whole list. */
        Items_PlanView: {
            items: {
                /**
                 * Format: int64
                 * @description Most jobs that may be pending or running.
                 */
                maxQueuedJobs: number;
                /**
                 * Format: int64
                 * @description Longest run time of a job.
                 */
                maxRunSeconds: number;
                /**
                 * Format: int64
                 * @description Credits granted every month.
                 */
                monthlyCredits: number;
                /** @example Free */
                name: string;
                /** @description The pools that its jobs may use, preferred ones first. */
                pools: components["schemas"]["PoolView"][];
                /** @description Whether published content may become private again (Stealth Mode). */
                stealthMode: boolean;
                /**
                 * Format: int64
                 * @description Most bytes of uploads.
                 */
                storageBytes: number;
                /**
                 * Format: int32
                 * @description Share of the workers relative to other waiting users.
                 */
                weight: number;
            }[];
        };
        /** @description A whole list. */
        Items_RequestedRequirementView: {
            items: {
                /**
                 * Format: uuid
                 * @description The first request.
                 */
                _id: string;
                /** Format: date-time */
                firstAt: string;
                folder?: string | null;
                kind: components["schemas"]["RequirementWord"];
                /** Format: date-time */
                lastAt: string;
                name: string;
                /** @description The names of the pools that have it now. */
                pools: string[];
                /**
                 * Format: int64
                 * @description How many users have requested it.
                 */
                requests: number;
            }[];
        };
        /** @description A whole list. */
        Items_SessionView: {
            items: {
                /** Format: uuid */
                _id: string;
                /** @description The IP address that the session started at. */
                address?: string | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
                /** @description Whether it is the current session. */
                isCurrent: boolean;
                /**
                 * Format: date-time
                 * @description To ten minutes.
                 */
                lastSeenAt: string;
                /** @description The user agent. */
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
        Items_SimpleAppBindingView: {
            items: {
                /** @description `background-remover`, `face-swap` or `image-to-prompt`. */
                address: string;
                /**
                 * Format: uuid
                 * @description The app of the configuration, which counts where no admin bound one.
                 */
                configured?: string | null;
                /**
                 * Format: uuid
                 * @description The app that an admin bound.
                 */
                workflowApi?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_SimpleAppView: {
            items: {
                /** @description `background-remover`, `face-swap` or `image-to-prompt`. */
                address: string;
                /** @description Sanitized HTML: what it does and what it cannot do. */
                description?: string | null;
                descriptionKo?: string | null;
                /** @description Node classes and model files that the nearest worker lacks. */
                missing: string[];
                name?: string | null;
                nameKo?: string | null;
                /** @description `Ready`; `Waiting` where no connected worker of the caller's pools can run the app; `Unbound` where there is none. */
                state: string;
                /**
                 * Format: uuid
                 * @description The app's workflow.
                 */
                workflow?: string | null;
                /**
                 * Format: uuid
                 * @description The app.
                 */
                workflowApi?: string | null;
            }[];
        };
        /** @description A whole list. */
        Items_UpkeepTaskView: {
            items: {
                /**
                 * Format: int64
                 * @description Most items per run, if limited; the next run follows at once if there are more.
                 */
                batch?: number | null;
                /**
                 * Format: int64
                 * @description A run that takes longer is aborted.
                 */
                deadlineSeconds: number;
                /**
                 * Format: int64
                 * @description Items processed by the last run.
                 */
                done: number;
                /** Format: date-time */
                dueAt?: string | null;
                /** Format: date-time */
                endedAt?: string | null;
                /** @description Why the last run failed. */
                error?: string | null;
                /**
                 * Format: int64
                 * @description From the end of a run to the start of the next.
                 */
                everySeconds: number;
                /**
                 * Format: int32
                 * @description Consecutive failed runs.
                 */
                failures: number;
                isRunning: boolean;
                /** @example orphaned_files */
                name: string;
                /**
                 * Format: uuid
                 * @description The node of the last or current run; null before the first one.
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
                /** @description `gone` if the receiver answered 410, or `failing` after three days without success. */
                disabledReason?: string | null;
                /** Format: date-time */
                failingSince?: string | null;
                isActive: boolean;
                lastAttempt?: components["schemas"]["LastAttemptView"] | null;
                name: string;
                /** @description The signing secret, returned only when the webhook is created. */
                secret?: string | null;
                /** Format: date-time */
                updatedAt: string;
                /**
                 * Format: int64
                 * @description Undelivered events; 1000 means 1000 or more.
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
                /** @description The id that selects it. */
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
                 * @description Node classes whose inputs or outputs differ from most workers': it may have another version, or be tampered
                 *     with. Such a worker validates prompts with these classes itself.
                 */
                differentClasses: string[];
                draining: boolean;
                /**
                 * Format: uuid
                 * @description Its running job.
                 */
                job?: string | null;
                name: string;
                /**
                 * Format: uuid
                 * @description The node that is connected to it; none while no living node owns it.
                 */
                node?: string | null;
                /** @description Number of its node classes. */
                nodeClasses: number;
                /** @description That node's name. */
                nodeName?: string | null;
                paused: boolean;
                pool: string;
                /** @description Why it is not idle. */
                reason?: string | null;
                /** @description `Connecting`, `Idle`, `Busy`, `Draining`, `Paused` or `Gone`. */
                state: string;
                /**
                 * Format: date-time
                 * @description Since when it has not answered about its running job. After `jobs.silent_seconds` the job is retried
                 *     elsewhere.
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
                 * @description The published ones among them.
                 */
                published: number;
                /**
                 * Format: int64
                 * @description Workflows with it or a tag below it, including drafts.
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
                /** @description Sanitized HTML. Lists have only its beginning. */
                description: string;
                /** Format: date-time */
                editedAt: string;
                /** @description Whether it is a basic workflow. */
                isBasic: boolean;
                isLiked: boolean;
                isNsfw: boolean;
                isPrivate: boolean;
                /**
                 * @description `comfy`; `workflow-api` with a mini app; `easyapp` where that is published; `figma` and `generator` as admins
                 *     marked it.
                 */
                kind: string;
                /** Format: int64 */
                launchCount: number;
                /** Format: int64 */
                likeCount: number;
                /** @description The caller's own id if they like it. Other users' likes are only counted. */
                likes: string[];
                /** @description Outputs of the mini app: `image`, `video`, `audio`, `text` or `file`. */
                makes: string[];
                name: string;
                /** Format: date-time */
                publishedAt?: string | null;
                /** @description Inputs of the mini app beside its settings: `image`, `video`, `audio`, `textfile`, and `text` for a prompt. */
                takes: string[];
                /** @description The gallery. Lists have only the cover. */
                thumbnails: components["schemas"]["AssetView"][];
                translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
                user?: components["schemas"]["UserCard"] | null;
                /**
                 * Format: int32
                 * @description Number of the graph's version.
                 */
                version: number;
                /** Format: int64 */
                viewCount: number;
                /**
                 * Format: uuid
                 * @description The mini app on it; its presence makes the workflow an "easy app".
                 */
                workflowApi?: string | null;
                /** @description Whether some worker can run the mini app now; `null` while unknown. */
                workflowApiWorks?: boolean | null;
                workflowTags: components["schemas"]["WorkflowTagCard"][];
            }[];
        };
        /** @description The outcome of an item: `id`, `seeds` and `replayed`, or `error`. */
        ItemView: {
            error?: components["schemas"]["ErrorLine"] | null;
            /**
             * Format: uuid
             * @description The job.
             */
            id?: string | null;
            /** @description The item's key, if it could be read. */
            key?: string | null;
            /**
             * Format: int64
             * @description The line of the upload, from 1.
             */
            line: number;
            /** @description Whether an earlier upload created the job. */
            replayed?: boolean | null;
            /** @description The seeds that were drawn for fields given as -1. */
            seeds?: Record<string, never> | null;
        };
        /** @description A job's cost. */
        JobCredits: {
            /**
             * Format: int64
             * @description Held until the end.
             */
            held: number;
            /**
             * Format: int64
             * @description The most that it may cost, if its submit or its owner said so.
             */
            most?: number | null;
            /**
             * Format: int64
             * @description Charged at the end; `null` until then.
             */
            used?: number | null;
        };
        /** @description What represents a job in a list: its first picture or video. */
        JobResult: {
            blurHash?: string | null;
            /** @description How many pictures and videos it made; 8 means 8 or more. */
            count: number;
            isNsfw: boolean;
            isPrivate: boolean;
            /** @description `image` or `video`. */
            kind: string;
            /** Format: uuid */
            outputAsset: string;
            /** @description 200 pixels wide; `null` for a video without a poster, and for a picture without a preview. */
            thumbnailUrl?: string | null;
        };
        /** @description What a page read of the jobs. */
        JobSearchView: {
            /**
             * Format: date-time
             * @description When the oldest of them was submitted.
             */
            backTo: string;
            /**
             * Format: int64
             * @description Jobs that were read, matching or not.
             */
            jobs: number;
        };
        /** @description A job with everything that its owner may know. */
        JobView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: int32
             * @description How many times a worker was chosen for it.
             */
            attempt: number;
            /**
             * Format: uuid
             * @description Its batch.
             */
            batch?: string | null;
            /** Format: date-time */
            createdAt: string;
            credits: components["schemas"]["JobCredits"];
            /**
             * Format: date-time
             * @description When it must have ended, if its submit says so.
             */
            deadline?: string | null;
            /** Format: int64 */
            durationMs?: number | null;
            /** Format: date-time */
            endedAt?: string | null;
            executeException?: unknown;
            /** @description As in the call `status`. */
            fault?: string | null;
            /** @description The submitted values of the form. */
            form?: unknown;
            /** @description The labels that its submit gave it. */
            labels: {
                [key: string]: string;
            };
            /** @description `interactive`, `api`, `training` or `flex`. A promoted job has the lane of its submit. */
            lane: string;
            /** @description ComfyUI's `node_errors` of outputs that were left out because they cannot be made. */
            nodeErrors?: unknown;
            pool: string;
            priceClass: components["schemas"]["PriceClassWord"];
            /**
             * Format: date-time
             * @description When a job of the class `flex` stopped to wait for idle workers, because of its deadline or a long wait.
             */
            promotedAt?: string | null;
            /**
             * @description Of one ended job, requested by id: its nodes' results as in ComfyUI's history (node id → output type →
             *     `filename`, `subfolder` and `type` of each file, or texts), with the `url` of each file. Else `null`.
             *     `api-outputs` has more.
             */
            promptResult?: unknown;
            result?: components["schemas"]["JobResult"] | null;
            seeds: Record<string, never>;
            /** Format: date-time */
            startedAt?: string | null;
            status: string;
            /**
             * @description Outputs that it could not deliver. A job that delivered anything is `Done` all the same; one that can deliver
             *     nothing ends as `WorkerExceptionError` and costs nothing.
             */
            undelivered: components["schemas"]["UndeliveredView"][];
            validateException?: unknown;
            workflow?: components["schemas"]["WorkflowCard"] | null;
            /** Format: uuid */
            workflowApi?: string | null;
            /**
             * Format: uuid
             * @description The version of the mini app that it runs.
             */
            workflowApiVersion?: string | null;
        };
        /** @description The worker of a job. */
        JobWorkerView: {
            /** Format: uuid */
            _id: string;
            /** @description `null` for a worker that was removed. */
            name?: string | null;
        };
        /** @description The workflow behind a job. */
        JobWorkflowView: {
            /** Format: uuid */
            _id: string;
            name: string;
        };
        /** @enum {string} */
        LaneWord: "interactive" | "api" | "training" | "flex";
        /** @description A language of the pages. */
        LanguageBody: {
            /** @description `en` or `ko`. */
            language: components["schemas"]["LanguageTag"];
        };
        /** @enum {string} */
        LanguageTag: "en" | "ko";
        /** @description Outcome of the last attempt. */
        LastAttemptView: {
            /** Format: date-time */
            attemptAt: string;
            /** Format: int32 */
            responseStatus?: number | null;
            /** @description `Success` or `Failed`. */
            status: string;
        };
        /** @description A model's licence. */
        LicenceView: {
            /** @description Whether commercial use is allowed: `Yes`, `No` or `Conditions`. */
            commercial: string;
            name: string;
            note: string;
            noteKo: string;
        };
        /** @description The output to like. */
        LikeBody: {
            /** Format: uuid */
            id: string;
        };
        /** @description Whether the caller likes an output now, and how many users do. */
        LikedView: {
            isLike: boolean;
            /** Format: int64 */
            likeCount: number;
        };
        /** @description A workflow's likes after a change. */
        LikeView: {
            isLiked: boolean;
            /** Format: int64 */
            likeCount: number;
        };
        /** @description What the provider's redirect returned, to connect an account. */
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
             * @description The same id, as the specification names it.
             */
            id: string;
            /** @description Keyed `id.name`; for its owner and admins. */
            inputs?: unknown;
            /** @description Keyed by node id; for its owner and admins. */
            outputs?: unknown;
            /** @description The form, generated by the server. */
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
        /** @enum {string} */
        MarkedKindWord: "figma" | "generator";
        /** @description Facts about a picture or video. */
        MetadataView: {
            /**
             * Format: int64
             * @description Milliseconds, if the video has them.
             */
            duration?: number | null;
            /** Format: int32 */
            height?: number | null;
            /**
             * @description A still picture of a video, as WebP. `null` for other files, and for a video that could not be read: pages
             *     show its first frame then.
             */
            videoPreviewImageUrl?: string | null;
            /**
             * Format: int32
             * @description In pixels, as displayed.
             */
            width?: number | null;
        };
        /** @description A node class or a model that no worker of the caller's pools has. */
        MissingRequirementView: {
            /**
             * @description The folder of a model, if it is known.
             * @example checkpoints
             */
            folder?: string | null;
            /** @description Whether the caller has requested it. */
            isRequested: boolean;
            kind: components["schemas"]["RequirementWord"];
            /** @description The class, or the file with its subfolders. */
            name: string;
            /** @description The ids of the nodes that use it. */
            nodes: string[];
            /** @description Other pools that have it, which the caller's plan does not include. */
            pools: components["schemas"]["OtherPoolView"][];
        };
        /** @description What an app needs and the closest worker lacks. */
        MissingView: {
            /** @description Node classes. */
            classes: string[];
            /** @description Model files, as `folder/name`. */
            models: string[];
        };
        /** @description The name of a model that files can be like. */
        ModelNameView: {
            family: string;
            folder: string;
            name: string;
        };
        /** @description What a model file is. */
        ModelWordBody: {
            file: string;
            folder: string;
            /** @description The name of a model that it is like; `null` for a file that no generator uses. */
            like?: string | null;
        };
        /** @description Whether there are more pages; they are not counted. */
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
        /** @description A new token. */
        NewAgentTokenBody: {
            /** @description What it is for. */
            name: string;
            /** @description The configured pools that its agents may join. */
            pools: components["schemas"]["PoolName"][];
        };
        /** @description A new token. */
        NewAgentTokenView: {
            agentToken: components["schemas"]["AgentTokenView"];
            /** @description The token. It is shown only here. */
            token: string;
        };
        /** @description A new key. */
        NewApiKeyBody: {
            /** @description What it is for; 1 to 50 characters. */
            name: string;
        };
        /** @description A new API key. */
        NewApiKeyView: components["schemas"]["ApiKeyView"] & {
            /** @description The whole key. It is shown only once. */
            key: string;
        };
        /** @description A comment: on a workflow, on a picture, or an answer to a comment. One of the three. */
        NewCommentBody: {
            /** @description HTML with at most 580 characters of text; it is sanitized. */
            content: string;
            /**
             * Format: int32
             * @description 0 for a comment, 1 for an answer. It follows from the other fields; if given, it must agree.
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
        /** @description A new tag. */
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
        /** @description A video to add. */
        NewVideoBody: {
            /** @description Its address on YouTube: of the page, a short link, a short, a live stream or a frame. */
            url: string;
            /**
             * Format: date-time
             * @description Its publication date; now by default.
             */
            youtubeCreatedAt?: string | null;
        };
        /** @description A new workflow. */
        NewWorkflowBody: {
            /**
             * Format: uuid
             * @description One of the caller's assets; by default the first of the gallery.
             */
            cover?: string | null;
            /** @description HTML; it is sanitized. */
            description?: string;
            /** @description `false` publishes it at once; then it needs a tag and a picture, as every published workflow does. */
            isPrivate?: boolean;
            /** @description 1 to 100 characters. */
            name: string;
            prompt: components["schemas"]["GraphBody"];
            /** @description The gallery in its order: up to 16 of the caller's assets. */
            thumbnails?: string[];
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            /** @description Tags in their order: up to 5. */
            workflowTags?: string[];
        };
        /** @description The inputs that a form can fill, by name, each as in a mini app. */
        NodeInputsView: {
            optional: Record<string, never>;
            required: Record<string, never>;
        };
        /** @description The outputs of one node. */
        NodeOutputsView: {
            name: string;
            nodeId: string;
            /** @description Output type (`images`, `text`, `gifs`, `audio`, `files`) → its items, in order. */
            outputs: Record<string, never>;
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            /** @description Outputs of the node that the job could not deliver. */
            undelivered?: components["schemas"]["UndeliveredView"][];
        };
        /** @description A notice in both languages. */
        NoticeBody: {
            /** @description HTML; it is sanitized. */
            contentEn: string;
            contentKo: string;
            /** @description 1 to 100 characters. */
            titleEn: string;
            titleKo: string;
        };
        /** @description A notice of the admins, in both languages. */
        NoticeView: {
            /** Format: uuid */
            _id: string;
            /** @description Sanitized HTML. */
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
        /** @description The types that the caller gets by mail. */
        NotificationSettingsView: {
            mailedTypes: string[];
        };
        /** @description A notification. */
        NotificationView: {
            /** Format: uuid */
            _id: string;
            /** @description `WORKFLOW` or `GALLERY`; `null` if it is not about a post. */
            categoryType?: string | null;
            /** Format: date-time */
            checkedAt?: string | null;
            /** Format: uuid */
            comment?: string | null;
            /** @description The text; sanitized HTML for a notice. */
            content?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description `VIEW`, `LIKE` or `LAUNCH`: the count that has reached `title.count`. */
            othersType?: string | null;
            outputAsset?: components["schemas"]["OutputAssetRef"] | null;
            /** @description Whether it is an answer to the recipient's own comment. */
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
             * @description The output's id again, as the specification sends it; ignored.
             */
            id?: string | null;
            isNsfw: boolean;
        };
        /** @description An oEmbed link preview. */
        OembedView: {
            author_name?: string | null;
            /** Format: int32 */
            height?: number | null;
            provider_name: string;
            provider_url: string;
            title: string;
            /** @description `photo` if there is a picture, else `link`. */
            type: string;
            /** @description The picture of a `photo`, and its size. */
            url?: string | null;
            version: string;
            /** Format: int32 */
            width?: number | null;
        };
        /** @description The installation's operator, and facts for its terms. */
        OperatorView: {
            /** @description The operator's address; `null` if none is configured. */
            email?: string | null;
            /** @description Whether a third party's support chat is offered to signed-in users. */
            hasChat: boolean;
            name: string;
            /**
             * Format: int32
             * @description Days for which unpublished pictures are kept.
             */
            outputDays: number;
            /** @description Where admins answer users; `null` for other callers, and without a chat. */
            supportDesk?: string | null;
            /** @description The day of the last change of terms of use and privacy policy. */
            termsVersion: string;
        };
        /** @description A purchase. */
        OrderBody: {
            /**
             * Format: int64
             * @description The price that the buyer has seen. The order is refused if it is another one now; without it, any price is taken.
             */
            amount?: number | null;
            /**
             * @description Of a coupon that lowers the price. Case, spaces and hyphens do not count.
             * @example SPRING-2026
             */
            code?: string | null;
            /** @description The billing country. It decides the currency: won in Korea, US dollars elsewhere. */
            country: components["schemas"]["CountryWord"];
            /** @description Whether the buyer agrees to the terms. */
            isAgreed: boolean;
            /** Format: uuid */
            itemId: string;
        };
        /** @enum {string} */
        OrderFailureWord: "DECLINED" | "PROVIDER_UNAVAILABLE" | "NOT_APPROVED";
        /** @enum {string} */
        OrderProviderWord: "Test" | "PayPal" | "TossPayments" | "Coupon" | "Free";
        /** @description Money that was given back, and credits that were taken back for it. */
        OrderRefundView: {
            /** Format: uuid */
            _id: string;
            /** Format: int64 */
            amount: number;
            /** Format: int64 */
            bonusCredits: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            credits: number;
            /** Format: date-time */
            endedAt?: string | null;
            reason: string;
            status: components["schemas"]["RefundStatusWord"];
        };
        /** @enum {string} */
        OrderStatusWord: "Ready" | "Paid" | "Canceled" | "Failed" | "Refunded";
        /**
         * @description One purchase, or what the user was given without a payment: by a coupon, or from an admin. What was given costs 0, is
         *     paid, and is never refunded.
         */
        OrderView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: int64
             * @description What is charged, in the smallest unit of the currency.
             */
            amount: number;
            /**
             * Format: int64
             * @description Bonus credits of a first purchase, in a grant of their own. They are promised until the order is paid; then 0 if
             *     another purchase of the account was the first.
             */
            bonusCredits: number;
            couponCode?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            credits: number;
            currency?: components["schemas"]["CurrencyWord"] | null;
            declineReason?: components["schemas"]["DeclineReasonWord"] | null;
            /**
             * Format: date-time
             * @description When its credits expire.
             */
            expiresAt?: string | null;
            failure?: components["schemas"]["OrderFailureWord"] | null;
            /** @description Whether it pays only the difference to a larger plan, for the rest of the month. */
            isChange: boolean;
            /** @description Whether the provider was asked to charge and its answer is not known. */
            isSettling: boolean;
            kind: components["schemas"]["ProductKindWord"];
            /**
             * Format: int64
             * @description The price before the discount of a coupon; `null` without one.
             */
            listAmount?: number | null;
            /** @description The item's name and credits when it was ordered. */
            name: string;
            /** Format: date-time */
            paidAt?: string | null;
            /** @description Where the buyer approves the payment, while that is needed. */
            payAt?: string | null;
            /** Format: int32 */
            percentOff?: number | null;
            /** Format: date-time */
            periodFrom?: string | null;
            /**
             * Format: date-time
             * @description `null` for a plan that was given without an end.
             */
            periodUntil?: string | null;
            /** @description The plan of which it pays a month, or which was given. */
            plan?: string | null;
            provider: components["schemas"]["OrderProviderWord"];
            /**
             * Format: date-time
             * @description Until when the buyer can have all money back; `null` if that is not possible, and for admins.
             */
            refundableUntil?: string | null;
            /**
             * Format: int64
             * @description Of refunds that the provider has not refused.
             */
            refundedAmount: number;
            /** Format: int64 */
            refundedBonusCredits: number;
            /** Format: int64 */
            refundedCredits: number;
            status: components["schemas"]["OrderStatusWord"];
            type: components["schemas"]["PaymentTypeWord"];
        };
        /** @description How an output was made. */
        OriginView: {
            /** Format: uuid */
            _id: string;
            /** @description `false` if its owner, or the author of what ran, does not show it: the other fields are empty then. */
            isTold: boolean;
            /** @description The values of the run, in the form's order. */
            settings: components["schemas"]["SettingView"][];
            /** @description The uploads among the values, for their owner. */
            uploads: components["schemas"]["AssetView"][];
            workflow?: components["schemas"]["WorkflowCard"] | null;
            /**
             * Format: uuid
             * @description The mini app, if the caller may run it.
             */
            workflowApi?: string | null;
        };
        /** @description A pool that the caller's plan does not include. */
        OtherPoolView: {
            /**
             * @description Class of the machines.
             * @example 24 GB
             */
            gpu: string;
            name: string;
            /** @description The plans that include it. */
            plans: string[];
            /** @description The name shown to users. */
            title: string;
        };
        /** @description A notification's picture, if it can still be seen. */
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
            /** @description The address that downloads the file under that name. */
            downloadUrl?: string | null;
            /** Format: date-time */
            expiresAt?: string | null;
            /** @description The file name from the worker, for owner and admins. `null` if it has none. */
            fileName?: string | null;
            /** @description The file's extension: `png`. */
            format: string;
            /**
             * @description Whether there is a smaller picture of it, or a poster. Pictures beyond the installation's limits have none:
             *     their owner downloads them.
             */
            hasPreview: boolean;
            /**
             * Format: uuid
             * @description The same id, as the specification names it.
             */
            id: string;
            isNsfw: boolean;
            isPrivate: boolean;
            /** @description Whether it can be published: pictures with a preview, videos and audio files. */
            isPublishable: boolean;
            job: components["schemas"]["OutputJob"];
            key: string;
            /** @description `image`, `video`, `audio` or `file`. */
            kind: string;
            /** Format: int64 */
            likeCount: number;
            /** @description The caller's own id if they like it. Other users' likes are private. */
            likes: string[];
            moderation?: components["schemas"]["HiddenView"] | null;
            optimalUrl: string;
            rawUrl: string;
            /**
             * @description Whether others see how it was made: the mini app and its settings, including the texts that its owner typed.
             *     `true` unless its owner changes it.
             */
            showsOrigin: boolean;
            user?: components["schemas"]["UserCard"] | null;
            /**
             * Format: int64
             * @description -1 if deleted.
             */
            viewCount: number;
        };
        /** @description The file behind an output. */
        OutputFile: {
            baseUrl: string;
            /** @description A blurred placeholder of a few bytes, in Base64. */
            blurHash?: string | null;
            /** Format: int32 */
            height?: number | null;
            key: string;
            /** @description `Image`, `Video`, `Audio` or `File`. */
            kind: string;
            metadata: components["schemas"]["MetadataView"];
            /**
             * @description The file name for downloads of several: `YYYYMMDD_HHmmss` of its creation, in UTC. Files other than pictures
             *     keep the name from their worker.
             */
            name: string;
            /** @description The quality for pages. */
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
            /** @description The workflow's name; empty for a raw prompt. */
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
             * @description For owner and admins.
             */
            _id?: string | null;
            /**
             * Format: int64
             * @description Its run time in milliseconds.
             */
            duration?: number | null;
        };
        /** @description The caller's report of an object. */
        OwnReportView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            reason: components["schemas"]["ReportReason"];
            text: string;
            /**
             * Format: date-time
             * @description Later than `createdAt` if the caller reported it before.
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
                /** @description `WORKFLOW` or `GALLERY`; `null` if it is not about a post. */
                categoryType?: string | null;
                /** Format: date-time */
                checkedAt?: string | null;
                /** Format: uuid */
                comment?: string | null;
                /** @description The text; sanitized HTML for a notice. */
                content?: string | null;
                /** Format: date-time */
                createdAt: string;
                /** @description `VIEW`, `LIKE` or `LAUNCH`: the count that has reached `title.count`. */
                othersType?: string | null;
                outputAsset?: components["schemas"]["OutputAssetRef"] | null;
                /** @description Whether it is an answer to the recipient's own comment. */
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
        /** @description The position of a page. */
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
        /** @description A plan that is paid by the month. */
        PaidSubscriptionView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: int64
             * @description The price of a month, in the smallest unit of the currency.
             */
            amount: number;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: int64
             * @description The credits of a month.
             */
            credits: number;
            currency: components["schemas"]["CurrencyWord"];
            /** Format: date-time */
            endedAt?: string | null;
            endReason?: components["schemas"]["EndReasonWord"] | null;
            /** @description Whether it ends at `periodUntil`. */
            isCanceled: boolean;
            method?: components["schemas"]["PaymentMethodView"] | null;
            /** Format: int64 */
            nextAmount?: number | null;
            /** @description The plan from `periodUntil` on, if it changes. */
            nextPlan?: string | null;
            /** Format: date-time */
            nextTryAt?: string | null;
            order?: components["schemas"]["OrderView"] | null;
            paidWith: components["schemas"]["PaidWithWord"];
            /** @description Where the buyer approves it at PayPal, while it is `Pending`; `null` for admins. */
            payAt?: string | null;
            /** Format: date-time */
            periodFrom: string;
            /**
             * Format: date-time
             * @description The next payment, or the end.
             */
            periodUntil: string;
            plan: string;
            /** @description `Pending`: the first payment is under way. `PastDue`: the last charge failed, and is tried again at `nextTryAt`. */
            status: components["schemas"]["SubscriptionStatusWord"];
            /** @description The page of its agreement, once the test provider charges it in PayPal's place; `null` for admins. */
            testPage?: string | null;
            /**
             * Format: int32
             * @description Charges of the next month that failed.
             */
            tries: number;
        };
        /** @enum {string} */
        PaidWithWord: "Card" | "PayPal";
        /** @description A part of the node that has panicked. */
        PartView: {
            /**
             * Format: int32
             * @description How many of this part are down now; they restart within seconds.
             */
            down: number;
            /**
             * Format: int32
             * @description Panics since the node started.
             */
            panics: number;
            /** @description `ledger`, `dispatcher`, `connection`, … */
            part: string;
        };
        /** @description A new password. */
        PasswordBody: {
            /**
             * Format: password
             * @description The current password; left out if the account has none.
             */
            current?: string | null;
            /**
             * Format: password
             * @description 8 to 128 characters.
             */
            password: string;
        };
        /** @description A card to save. */
        PaymentMethodBody: {
            /** @description The billing country. It decides the provider. */
            country: components["schemas"]["CountryWord"];
        };
        /** @description What the provider's window has returned. */
        PaymentMethodDoneBody: {
            /** @description `authKey` of the address to which TossPayments has returned. */
            authKey?: string | null;
        };
        /** @description The caller's saved cards. */
        PaymentMethodsView: {
            /** @description Whether cards can be entered at a form of this site. */
            hasCardForm: boolean;
            /** @description The default one first, then the newest. */
            methods: components["schemas"]["PaymentMethodView"][];
        };
        /** @description A saved card. */
        PaymentMethodView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** @description The currency in which it pays. */
            currency: components["schemas"]["CurrencyWord"];
            /** @description Whether it is charged first. */
            isDefault: boolean;
            /** @description The bank, as the provider names it. */
            issuer: string;
            /**
             * @description The masked number.
             * @example 4330-12**-****-1234
             */
            label: string;
            provider: components["schemas"]["PaymentProviderWord"];
        };
        /** @description Where a card is entered: at a page, or at the provider's window. */
        PaymentMethodWindowView: {
            /** Format: uuid */
            _id: string;
            /** @description Whether the card can be entered at a form of this site too. */
            hasCardForm: boolean;
            /** @description The browser goes there, and comes back to the account. */
            page?: string | null;
            toss?: components["schemas"]["TossWindowView"] | null;
        };
        /** @enum {string} */
        PaymentProviderWord: "Test" | "PayPal" | "TossPayments";
        /** @enum {string} */
        PaymentTypeWord: "Payment" | "Coupon" | "Free";
        /** @description A sign-up that waits for the mailed code. */
        PendingSignUpView: {
            email: string;
            /**
             * Format: date-time
             * @description When the code stops working.
             */
            expiresAt: string;
            /**
             * Format: uuid
             * @description Send it back with the code.
             */
            signUp: string;
        };
        /** @description One period. */
        PeriodView: {
            /** Format: int64 */
            count: number;
            /**
             * Format: date
             * @description Its first day.
             */
            date: string;
        };
        /** @description A user with credits, sessions and moderation history. */
        PersonDetailView: components["schemas"]["PersonView"] & {
            /**
             * Format: int64
             * @description Credits available for the next job.
             */
            credits: number;
            /** @description Decisions about the user and their content, newest first. */
            history: components["schemas"]["DecisionView"][];
            /**
             * Format: int64
             * @description Number of sessions.
             */
            sessionCount: number;
        };
        /** @description A grant as admins see it. */
        PersonGrantView: components["schemas"]["GrantView"] & {
            /**
             * Format: uuid
             * @description The order that gave it. Its refund takes the credits back.
             */
            order?: string | null;
            /** @description What it was granted for; unique for each user. `operator:` and the reason for a grant of an admin. */
            source: string;
        };
        /** @description A user's plan, credits and newest orders. */
        PersonMoneyView: {
            balance: components["schemas"]["BalanceView"];
            givenPlan?: components["schemas"]["GivenPlanView"] | null;
            /** @description Grants with credits left or held, in spending order. */
            grants: components["schemas"]["PersonGrantView"][];
            /** @description At most five, newest first. */
            orders: components["schemas"]["OrderView"][];
            /** @description The plan without a subscription and without a given one. */
            ownPlan: string;
            /** @description The plan in effect. */
            plan: string;
            subscription?: components["schemas"]["PaidSubscriptionView"] | null;
        };
        /** @description A user with fields that only admins see. */
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
            /** @description Distinguishes users of the same name: `#1234`. */
            nameTag: string;
            /** @description The plan that holds after it. */
            ownPlan: string;
            /** @description The plan in effect. */
            plan: string;
            /**
             * Format: date-time
             * @description The end of a plan that was given for a time.
             */
            planUntil?: string | null;
            profile?: components["schemas"]["AssetView"] | null;
            /** @description `Customer`, and `Admin` for admins. */
            roles: string[];
            /** @description Sign-in providers: `Google`, `Discord`. */
            signInWith: string[];
        };
        /** @description A change of plan. */
        PlanChangeBody: {
            /**
             * Format: int64
             * @description What the buyer was shown to pay at once.
             */
            amount: number;
            /**
             * Format: uuid
             * @description An item of the shop with a plan.
             */
            itemId: string;
        };
        /** @description What a change of plan costs. */
        PlanChangeView: {
            /**
             * Format: int64
             * @description What is paid at once: the difference for the days that are left, rounded down.
             */
            amount: number;
            /**
             * Format: date-time
             * @description When the plan begins.
             */
            at: string;
            /**
             * Format: int64
             * @description Credits that are given at once.
             */
            credits: number;
            currency: components["schemas"]["CurrencyWord"];
            /**
             * Format: int64
             * @description Whole days of the period that are left.
             */
            daysLeft: number;
            /** Format: int64 */
            daysOfPeriod: number;
            /**
             * Format: int64
             * @description The price of each month that follows.
             */
            nextAmount: number;
            plan: string;
            when: components["schemas"]["ChangeTimeWord"];
        };
        /** @description A plan's limits. */
        PlanView: {
            /**
             * Format: int64
             * @description Most jobs that may be pending or running.
             */
            maxQueuedJobs: number;
            /**
             * Format: int64
             * @description Longest run time of a job.
             */
            maxRunSeconds: number;
            /**
             * Format: int64
             * @description Credits granted every month.
             */
            monthlyCredits: number;
            /** @example Free */
            name: string;
            /** @description The pools that its jobs may use, preferred ones first. */
            pools: components["schemas"]["PoolView"][];
            /** @description Whether published content may become private again (Stealth Mode). */
            stealthMode: boolean;
            /**
             * Format: int64
             * @description Most bytes of uploads.
             */
            storageBytes: number;
            /**
             * Format: int32
             * @description Share of the workers relative to other waiting users.
             */
            weight: number;
        };
        /** @description A configured pool. */
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
            /** @description The name shown to users. */
            title: string;
        };
        /** @description The result of a save. */
        PreviewView: {
            health: components["schemas"]["AppHealthView"];
            rjsf: components["schemas"]["FormView"];
        };
        /** @enum {string} */
        PriceClassWord: "standard" | "flex";
        /** @description Prices in the smallest unit of each currency: won, and cents. `null`: not sold in it. */
        PricesView: {
            /**
             * Format: int64
             * @example 9900
             */
            KRW?: number | null;
            /**
             * Format: int64
             * @example 699
             */
            USD?: number | null;
        };
        /** @description Outputs to publish or to hide. */
        PrivatesBody: {
            ids: string[];
            isPrivate: boolean;
            /** @description Whether others see how they were made, including the typed texts; unchanged by default, and initially `true`. */
            showsOrigin?: boolean | null;
        };
        /** @enum {string} */
        ProductKindWord: "Credit" | "Subscription";
        /** @description A profile picture. */
        ProfileBody: {
            /**
             * Format: uuid
             * @description An uploaded picture of at most 10 MB; it becomes public. `null` for none.
             */
            assetId?: string | null;
        };
        /** @description Counts of published content. */
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
        /** @description A user's public profile. */
        ProfileView: {
            /** Format: uuid */
            _id: string;
            /** @description By kind: `homepage`, `instagram` (a handle) and `email`, as far as given. */
            contactPoints: {
                [key: string]: components["schemas"]["ContactPointView"];
            };
            counts: components["schemas"]["ProfileCountsView"];
            /** Format: date-time */
            createdAt: string;
            /** @description Whether the account was deleted; `name` is a placeholder then. */
            isDeleted?: boolean;
            name: string;
            /** @description Distinguishes users of the same name: `#1234`. */
            nameTag: string;
            profile?: components["schemas"]["AssetView"] | null;
            socialProfile?: string | null;
        };
        /** @description Progress of a running job. */
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
             * @description Steps of the running node.
             */
            value: number;
        };
        /** @description A promotion to create: a banner with all its texts, or a percentage. */
        PromotionBody: {
            audience?: components["schemas"]["BannerAudienceWord"] | null;
            /**
             * Format: date-time
             * @description In the future and after `startsAt`; never by default.
             */
            endsAt?: string | null;
            /** @description Whether it is offered; it is by default. */
            isActive?: boolean | null;
            kind: components["schemas"]["PromotionKindWord"];
            /** @description The text of the link. */
            labelEn?: string | null;
            labelKo?: string | null;
            /**
             * @description A path of the site.
             * @example /pricing
             */
            link?: string | null;
            /** @description For admins. */
            name: string;
            /**
             * Format: int32
             * @description Percent of bonus credits with a first purchase.
             */
            percent?: number | null;
            /**
             * Format: date-time
             * @description At once by default.
             */
            startsAt?: string | null;
            textEn?: string | null;
            textKo?: string | null;
        };
        /**
         * @description A change of a promotion. What is left out stays; `null` removes a date. The six fields of a banner are changed
         *     together; the kind stays.
         */
        PromotionChangeBody: {
            audience?: components["schemas"]["BannerAudienceWord"] | null;
            /**
             * Format: date-time
             * @description After `startsAt`.
             */
            endsAt?: string | null;
            isActive?: boolean | null;
            /** @description The text of the link. */
            labelEn?: string | null;
            labelKo?: string | null;
            /**
             * @description A path of the site.
             * @example /pricing
             */
            link?: string | null;
            name?: string | null;
            /**
             * Format: int32
             * @description Percent of bonus credits with a first purchase.
             */
            percent?: number | null;
            /** Format: date-time */
            startsAt?: string | null;
            textEn?: string | null;
            textKo?: string | null;
        };
        /** @enum {string} */
        PromotionKindWord: "Banner" | "FirstPurchase";
        /** @description A promotion as admins see it. */
        PromotionView: {
            /** Format: uuid */
            _id: string;
            audience?: components["schemas"]["BannerAudienceWord"] | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description `null`: never.
             */
            endsAt?: string | null;
            isActive: boolean;
            kind: components["schemas"]["PromotionKindWord"];
            labelEn?: string | null;
            labelKo?: string | null;
            link?: string | null;
            name: string;
            /**
             * Format: int32
             * @description Percent of bonus credits with a first purchase.
             */
            percent?: number | null;
            /**
             * Format: date-time
             * @description `null`: at once.
             */
            startsAt?: string | null;
            textEn?: string | null;
            textKo?: string | null;
        };
        /** @description A prompt in ComfyUI's API format. */
        PromptBody: {
            /** @description `extra_pnginfo` and the like, for the worker. */
            extraData?: Record<string, never> | null;
            /** @description The uploaded asset for each file name in the prompt. */
            files?: {
                [key: string]: string;
            };
            /** @description Labels, by which the job is found again. A value is in one line. */
            labels?: {
                [key: string]: string;
            };
            /** @description Node id → node. */
            prompt: Record<string, never>;
            /**
             * @description Refuses the prompt if any of its outputs cannot be made. Otherwise the others are made, as ComfyUI does, and
             *     `nodeErrors` has the errors.
             */
            strict?: boolean;
        };
        /** @description A graph to look at: a prompt in ComfyUI's API format. */
        PromptGraphBody: {
            /** @description Node id → node. */
            prompt: Record<string, never>;
        };
        /** @description Inputs and outputs for a save. */
        ProposalView: {
            /** @description Keyed `id.name`. */
            inputs: Record<string, never>;
            /** @description Keyed by node id. */
            outputs: Record<string, never>;
        };
        /** @description A purchase to quote. */
        PurchaseQuoteBody: {
            /**
             * @description Of a coupon that lowers the price.
             * @example SPRING-2026
             */
            code?: string | null;
            country: components["schemas"]["CountryWord"];
            /** Format: uuid */
            itemId: string;
        };
        /** @description What a purchase costs and gives now. Nothing is reserved. */
        PurchaseQuoteView: {
            /**
             * Format: int64
             * @description What would be charged, in the smallest unit of the currency.
             */
            amount: number;
            /**
             * Format: int64
             * @description Bonus credits of a first purchase.
             */
            bonusCredits: number;
            /** @description As it is shown. */
            couponCode?: string | null;
            /** Format: int64 */
            credits: number;
            currency: components["schemas"]["CurrencyWord"];
            /**
             * Format: int64
             * @description The price before the discount; `null` without one.
             */
            listAmount?: number | null;
            /** Format: int32 */
            percentOff?: number | null;
        };
        /** @description The position in the queue. */
        QueueView: {
            etaSeconds?: components["schemas"]["EtaView"] | null;
            /**
             * Format: int64
             * @description Counts from 1; 1001 means more than a thousand.
             */
            position: number;
        };
        /** @description Runs to quote. */
        QuoteBody: {
            /** @description 1 to 100 kinds of runs. */
            items: components["schemas"]["QuoteItemBody"][];
        };
        /** @description One kind of run to quote: a mini app with a form, or a prompt. */
        QuoteItemBody: {
            /**
             * Format: int64
             * @description How many such runs; 1 by default.
             */
            count?: number | null;
            /** @description The uploaded asset for each file name in the prompt. */
            files?: {
                [key: string]: string;
            } | null;
            /** @description Its form: API field name → value. */
            form?: Record<string, never> | null;
            /**
             * Format: int64
             * @description The most that each run may cost.
             */
            maxCredits?: number | null;
            /** @description A prompt in ComfyUI's API format: node id → node. */
            prompt?: Record<string, never> | null;
            /** @description Refuses the prompt where any of its outputs cannot be made. */
            strict?: boolean | null;
            /**
             * Format: uuid
             * @description The version of the mini app; the current one by default.
             */
            version?: string | null;
            /**
             * Format: uuid
             * @description The mini app to run.
             */
            workflowApi?: string | null;
        };
        /** @description What several runs cost. */
        QuotesView: {
            /** @description Of one run of each item, in the order of the request. */
            items: components["schemas"]["QuoteView"][];
            total: components["schemas"]["QuoteTotalView"];
        };
        /** @description All runs of all items together. */
        QuoteTotalView: {
            expected?: components["schemas"]["ExpectedRunView"] | null;
            flex: components["schemas"]["FlexTotalView"];
            /** Format: int64 */
            mostCredits: number;
            /** Format: int64 */
            runs: number;
        };
        /** @description What a run costs and how long it takes. */
        QuoteView: {
            /** Format: int64 */
            creditsPerSecond: number;
            etaSeconds?: components["schemas"]["EtaView"] | null;
            expected?: components["schemas"]["ExpectedRunView"] | null;
            flex: components["schemas"]["FlexQuoteView"];
            /**
             * Format: int64
             * @description The price of the longest run that the plan, `maxCredits` and the caller's own ceiling allow. A longer one is
             *     stopped, and no run costs more.
             */
            mostCredits: number;
            /** Format: int64 */
            mostRunMs: number;
            /** @description The pool in which it would run now. */
            pool: string;
            poolTitle: string;
            /** @description How many connected workers can run it. */
            workers: number;
        };
        /** @description Whether requests should be sent to the node, and why not. */
        ReadyView: {
            /** @description `ok`, or the problem. */
            database: string;
            reason?: string | null;
            /** @description `ok`; `away`, which does not affect readiness; or `none` if not configured. */
            redis: string;
            /** @description `ready`; `draining` while the node is stopping; else `unavailable`. */
            status: string;
            /** @description `ok`, or `away` if files can be neither stored nor read. */
            storage: string;
        };
        /** @description A code to redeem. */
        RedeemBody: {
            /**
             * @description Case, spaces and hyphens do not count.
             * @example WELCOME-2026
             */
            code: string;
        };
        /** @description A refund by an admin. */
        RefundBody: {
            /**
             * Format: int64
             * @description At most what was not refunded, in the smallest unit of the order's currency.
             */
            amount: number;
            /**
             * Format: int64
             * @description Credits to take back: at most `creditsLeft` of the order.
             */
            credits: number;
            reason: string;
        };
        /** @enum {string} */
        RefundStatusWord: "Asked" | "Done" | "Refused";
        /** @description A report. */
        ReportBody: {
            /**
             * Format: uuid
             * @description The workflow, output or comment.
             */
            id: string;
            kind: components["schemas"]["ReportKind"];
            reason: components["schemas"]["ReportReason"];
            /** @description Further details, at most 1000 characters; required if the reason is `Other`. */
            text?: string;
        };
        /** @enum {string} */
        ReportKind: "Workflow" | "OutputAsset" | "Comment" | "Asset";
        /** @enum {string} */
        ReportReason: "Spam" | "Sexual" | "Violence" | "Hate" | "Copyright" | "Personal" | "Other";
        /** @description One user's report. */
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
            /** @description The reporter's text; may be empty. */
            text: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description A node class or a model that users have requested. */
        RequestedRequirementView: {
            /**
             * Format: uuid
             * @description The first request.
             */
            _id: string;
            /** Format: date-time */
            firstAt: string;
            folder?: string | null;
            kind: components["schemas"]["RequirementWord"];
            /** Format: date-time */
            lastAt: string;
            name: string;
            /** @description The names of the pools that have it now. */
            pools: string[];
            /**
             * Format: int64
             * @description How many users have requested it.
             */
            requests: number;
        };
        /** @description A node class or a model that workers shall have. */
        RequirementRequestBody: {
            /** @description The folder of a model, if it is known. */
            folder?: string | null;
            /** @description `NodeClass` or `Model`. */
            kind: string;
            /** @description The class, or the file with its subfolders. */
            name: string;
        };
        /** @description The caller's request for a node class or a model. */
        RequirementRequestView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            folder?: string | null;
            kind: components["schemas"]["RequirementWord"];
            name: string;
        };
        /** @description What a prompt requires and the workers of the caller's pools do not have. */
        RequirementsView: {
            /** @description In the order of the prompt. */
            missing: components["schemas"]["MissingRequirementView"][];
            /** @description Whether one worker has everything. A job runs on one worker, so otherwise the prompt cannot run. */
            oneWorkerMeetsAll: boolean;
        };
        /** @enum {string} */
        RequirementWord: "NodeClass" | "Model";
        /** @description The start of a period. */
        ResendBody: {
            /**
             * Format: date-time
             * @description Events that were given up since then, whenever they were first sent.
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
        /** @description A number of items. */
        ResourceCountView: {
            /**
             * Format: int64
             * @description Up to 100,000.
             */
            count: number;
            /** @description Whether there may be more than counted. */
            isMore: boolean;
        };
        /** @description How to restore a version. */
        RestoreBody: {
            /**
             * Format: int32
             * @description The latest version that the caller knows. If there is a later one, the answer is `WORKFLOW_CHANGED`.
             */
            baseVersion?: number | null;
        };
        /** @description Revenue of one period, provider, currency and kind. Amounts are in the smallest unit of the currency. */
        RevenueRowView: {
            currency: components["schemas"]["CurrencyWord"];
            kind: components["schemas"]["ProductKindWord"];
            /**
             * Format: int64
             * @description `paid` without `refunded`; it can be negative.
             */
            net: number;
            /**
             * Format: int64
             * @description Orders that were paid in the period.
             */
            orders: number;
            /** Format: int64 */
            paid: number;
            /**
             * Format: date
             * @description The first day of the period.
             */
            period: string;
            provider: components["schemas"]["PaymentProviderWord"];
            /**
             * Format: int64
             * @description What the provider gave back in the period, also of earlier orders.
             */
            refunded: number;
        };
        /** @description Revenue of some periods. */
        RevenueView: {
            /** @description The first days of all periods. The first period may begin before the range. */
            periods: string[];
            /** @description By period, provider, currency and kind; without empty ones. */
            rows: components["schemas"]["RevenueRowView"][];
        };
        /** @description A user's role. */
        RoleBody: {
            isAdmin: boolean;
        };
        /** @description A workflow API to save. A form in the request (`rjsf`) is ignored: the server generates it. */
        SaveBody: {
            /**
             * @description Keyed `id.name`. Each entry needs `id`, `name` and `nodeName`; missing parts of `adapter` follow from the
             *     node. `adapter.translations` has texts in other languages, by language (`en`, `ko`): `name` of up to 200
             *     characters, `tooltip` of up to 2000, and `options`, up to 500 choices by their values with up to 200
             *     characters each. `adapter.isOptional` of up to 20 files lets runs go without them: nodes that require the file
             *     are then left out of the prompt.
             */
            inputs: Record<string, never>;
            /** @description Keyed by node id. `translations` has the `name` in other languages, by language, of up to 200 characters. */
            outputs: Record<string, never>;
            /** Format: uuid */
            workflow: string;
        };
        /** @description A stored draft. */
        SavedDraftView: {
            /**
             * Format: uuid
             * @description To be sent with the next write.
             */
            revision: string;
        };
        /** @description Marks notifications as read, which cannot be undone. */
        SeenBody: {
            isChecked: boolean;
        };
        /** @description A reported picture or video. */
        SeenPictureView: {
            /** @description `image`, `video`, `audio` or `file`. */
            kind: string;
            /** @description A still picture of a video. */
            posterUrl?: string | null;
            thumbnailUrl: string;
            url: string;
        };
        /** @description A session. */
        SessionView: {
            /** Format: uuid */
            _id: string;
            /** @description The IP address that the session started at. */
            address?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description Whether it is the current session. */
            isCurrent: boolean;
            /**
             * Format: date-time
             * @description To ten minutes.
             */
            lastSeenAt: string;
            /** @description The user agent. */
            userAgent?: string | null;
        };
        /** @description The types to get by mail. */
        SettingsBody: {
            mailedTypes: components["schemas"]["NotificationKind"][];
        };
        /** @description One value of a run. */
        SettingView: {
            /** @description The form's field; `null` in a raw prompt. */
            field?: string | null;
            /** @description The label of a choice. */
            label?: string | null;
            title: string;
            translations?: components["schemas"]["ByLanguageView_SettingWordsView"] | null;
            /** @description `null` for an input picture, except for its owner. */
            value?: unknown;
            /** @description How a form shows it: `toggle`, `image`, `seed`, `model`, `range`, `select`, `text` or `textarea`. */
            widget: string;
        };
        /** @description A mini app and the address of a user to share it with. */
        ShareBody: {
            userEmail: string;
            /** Format: uuid */
            workflowApiId: string;
        };
        /** @description A mini app shared with the caller. */
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
        /** @description A user, as the owner of a shared app sees them. */
        SharedUserView: {
            /** Format: uuid */
            _id: string;
            email: string;
            name: string;
        };
        /** @description The owner of a shared app. */
        SharerView: {
            /** Format: uuid */
            _id: string;
            name: string;
        };
        /** @description A user with whom a mini app is shared. */
        ShareView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            sharedUser: components["schemas"]["SharedUserView"];
        };
        /** @description An item to sell. */
        ShopItemBody: {
            /**
             * Format: int64
             * @description Of a `Credit` only.
             */
            credits?: number | null;
            /** @description Whether it is offered; it is by default. */
            isActive?: boolean | null;
            kind?: components["schemas"]["ProductKindWord"] | null;
            name: string;
            /** @description Of a `Subscription` only: a plan of the settings, not the first one. */
            plan?: string | null;
            /** @description At least one. */
            prices: components["schemas"]["PricesView"];
        };
        /** @description A change of an item. What is left out stays. */
        ShopItemChangeBody: {
            /**
             * Format: int64
             * @description Makes it a pack of so many credits.
             */
            credits?: number | null;
            isActive?: boolean | null;
            name?: string | null;
            /** @description Makes it a month of this plan. */
            plan?: string | null;
            prices?: components["schemas"]["PricesView"] | null;
        };
        /** @description A pack of credits, or a month of a plan, that is sold. */
        ShopItemView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: int64
             * @description The same as `credits`: how much is sold, not what it costs.
             */
            amount: number;
            /**
             * Format: int64
             * @description What it gives; for a plan, each month.
             */
            credits: number;
            kind: components["schemas"]["ProductKindWord"];
            name: string;
            /** @description The plan of a subscription. */
            plan?: string | null;
            prices: components["schemas"]["PricesView"];
        };
        /** @description What can be bought, and how. */
        ShopView: {
            buying: components["schemas"]["BuyingView"];
            /** @description Plans from the smallest to the largest, then packs, fewest credits first. */
            items: components["schemas"]["ShopItemView"][];
        };
        /** @description A user's session, with the IP address that it started at. */
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
            /** @description The user agent. */
            userAgent?: string | null;
        };
        /** @description An e-mail address and its password. */
        SignInBody: {
            email: string;
            /** Format: password */
            password: string;
        };
        /** @description The ways to sign in beside e-mail address and password. */
        SignInOptionsView: {
            discord: boolean;
            google: boolean;
        };
        /** @description A sign-up form. */
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
        /** @description The mailed code, and the sign-up it belongs to. */
        SignUpCodeBody: {
            /**
             * @description Six digits; spaces and hyphens are ignored.
             * @example 204913
             */
            code: string;
            /** Format: uuid */
            signUp: string;
        };
        /** @description The app that operators bind to a fixed address. */
        SimpleAppBindingView: {
            /** @description `background-remover`, `face-swap` or `image-to-prompt`. */
            address: string;
            /**
             * Format: uuid
             * @description The app of the configuration, which counts where no admin bound one.
             */
            configured?: string | null;
            /**
             * Format: uuid
             * @description The app that an admin bound.
             */
            workflowApi?: string | null;
        };
        /** @description The app of a fixed address. */
        SimpleAppBody: {
            /**
             * Format: uuid
             * @description A published mini app that takes a picture.
             */
            workflowApi: string;
        };
        /** @description A mini app at a fixed address, `/easy-app/{address}`. */
        SimpleAppView: {
            /** @description `background-remover`, `face-swap` or `image-to-prompt`. */
            address: string;
            /** @description Sanitized HTML: what it does and what it cannot do. */
            description?: string | null;
            descriptionKo?: string | null;
            /** @description Node classes and model files that the nearest worker lacks. */
            missing: string[];
            name?: string | null;
            nameKo?: string | null;
            /** @description `Ready`; `Waiting` where no connected worker of the caller's pools can run the app; `Unbound` where there is none. */
            state: string;
            /**
             * Format: uuid
             * @description The app's workflow.
             */
            workflow?: string | null;
            /**
             * Format: uuid
             * @description The app.
             */
            workflowApi?: string | null;
        };
        /** @description An object at a moment. */
        SnapshotView: {
            /** @description A description or a comment, as text. */
            content: string;
            picture?: components["schemas"]["SeenPictureView"] | null;
            /** @description A workflow's name; empty for other objects. */
            title: string;
        };
        /** @description What the provider's redirect returned. */
        SocialBody: {
            /** @description The provider's code; left out when only the terms were missing. */
            code?: string | null;
            language?: components["schemas"]["LanguageTag"] | null;
            privacyAccepted?: boolean;
            state: string;
            termsAccepted?: boolean;
        };
        /** @description How many items were created in each period. */
        StatsView: {
            /** @description The oldest period first, including empty ones. */
            items: components["schemas"]["PeriodView"][];
            /** Format: int64 */
            total: number;
        };
        /** @description The status that a waiting page requests every two seconds. */
        StatusView: {
            /** Format: uuid */
            _id: string;
            /**
             * @description The exception of a node: `exception_message`, `exception_type`, `node_id`, `node_type`, and `traceback`, its last
             *     lines on the worker.
             */
            executeException?: unknown;
            /**
             * @description Where the cause of a failed job is: `graph` (a node or a value), `account` (a limit of plan or credits), or
             *     `server` (a worker; nothing is charged). `null` for a job that did not fail.
             */
            fault?: string | null;
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
             * @description Errors of outputs that are left out, as ComfyUI's `node_errors`: node id → `errors`, `dependent_outputs`,
             *     `class_type`. Empty if all outputs are made.
             */
            nodeErrors: Record<string, never>;
            /** @description The seeds that were drawn for fields given as -1. */
            seeds: Record<string, never>;
            status: string;
            /** @description How many connected workers can run it; `null` if an earlier request with the same key created it. */
            workers?: number | null;
        };
        /** @description A plan to subscribe to. */
        SubscribeBody: {
            /**
             * Format: int64
             * @description The price of a month that the buyer was shown.
             */
            amount: number;
            /** @description The billing country. It decides the currency: won in Korea, US dollars elsewhere. */
            country: components["schemas"]["CountryWord"];
            /** @description Whether the buyer agrees to the terms. */
            isAgreed: boolean;
            /** Format: uuid */
            itemId: string;
        };
        /** @description The charges of a month. */
        SubscriptionCalendarView: {
            /** @description All days of the month. */
            days: components["schemas"]["ChargeDayView"][];
            /** @description As in the query. */
            month: string;
        };
        /** @description The end of a subscription. */
        SubscriptionEndBody: {
            /** @description For the audit log. */
            reason: string;
        };
        /** @description A user's plan. */
        SubscriptionPlanView: components["schemas"]["PlanView"] & {
            /** @description The plan that holds after it. */
            nextPlan?: string | null;
            /**
             * Format: date-time
             * @description The end of a plan that was given for a time.
             */
            until?: string | null;
        };
        /** @enum {string} */
        SubscriptionStatusWord: "Pending" | "Active" | "PastDue" | "Ended";
        /** @description A user's plan. */
        SubscriptionView: {
            /** @example Free */
            name: string;
        };
        /** @description A mini app that fits a description, and why. */
        SuggestedView: {
            app: components["schemas"]["WorkflowView"];
            /** @description Whether it generates pictures from a prompt. */
            drawsWords: boolean;
            /** @description The words of the description found in its name, tags, choices or description. */
            words: string[];
        };
        /** @description Mini apps for a description. */
        SuggestionsView: {
            /** @description Pools whose workers could generate the picture with a suitable app. */
            drawingPools: string[];
            /** @description Best first. */
            fitting: components["schemas"]["SuggestedView"][];
            /** @description Generators for that task that the caller's workers can run now, the best first. */
            generators: components["schemas"]["WorkflowView"][];
            /** @description Generators for that task whose workers are not connected. */
            generatorsAway: components["schemas"]["WorkflowView"][];
            /** @description The most viewed apps. */
            others: components["schemas"]["WorkflowView"][];
            /**
             * @description What the description asks for: `TextToImage`, `ImageToImage`, `Inpaint`, `Upscale`, `TextToVideo`, `ImageToVideo`,
             *     `FramesToVideo`, `VideoToVideo`, `TextToAudio`, `SoundToSound`, `TextTo3D`, `ImageTo3D`, `RemoveBackground`,
             *     `SwapFace` or `DescribeImage`.
             */
            task: string;
            /** @description Apps that would generate the picture, but that no worker can run now. */
            waiting: components["schemas"]["WorkflowView"][];
        };
        /** @description Changes to a tag. */
        TagChangesBody: {
            name?: string | null;
            nameKo?: string | null;
            /**
             * Format: uuid
             * @description A tag of depth 0; `null` makes it a root.
             */
            parentTag?: string | null;
        };
        /** @description The remaining tag. */
        TagMergeBody: {
            /** Format: uuid */
            into: string;
        };
        /** @description An order of one parent's tags. */
        TagOrderBody: {
            /** @description Each tag of this parent, once. */
            ids: string[];
            /**
             * Format: uuid
             * @description `null` or left out for the roots.
             */
            parentTag?: string | null;
        };
        /** @description What happens to an agreement at the test provider. */
        TestAgreementAnswerBody: {
            /**
             * @description Of one that waits: `Approve` charges the first month, `Decline` ends it, `Hang` is `Approve` with a lost answer, and
             *     `Twice` is `Approve` with two notices. Of one that runs: `Charge` charges the next month, `Fail` is a failed charge
             *     of it, the third of which suspends the agreement, and `Cancel` ends it.
             */
            answer: components["schemas"]["TestAgreementAnswerWord"];
        };
        /** @enum {string} */
        TestAgreementAnswerWord: "Approve" | "Decline" | "Hang" | "Twice" | "Charge" | "Fail" | "Cancel";
        /** @enum {string} */
        TestAgreementStateWord: "Created" | "Active" | "Suspended" | "Ended";
        /** @description An agreement at the test provider. */
        TestAgreementView: {
            /** Format: uuid */
            _id: string;
            /**
             * Format: int64
             * @description The price of a month, in the smallest unit of the currency.
             */
            amount: number;
            /** @description Where the browser goes to cancel. */
            cancelUrl: string;
            currency: components["schemas"]["CurrencyWord"];
            description: string;
            /**
             * Format: int32
             * @description Charges in a row that failed.
             */
            failed: number;
            state: components["schemas"]["TestAgreementStateWord"];
        };
        /** @description What the test provider does with a payment. */
        TestAnswerBody: {
            /**
             * @description `Approve`: the charge will be taken. `Decline`: it will be declined. `Hang`: it will be taken, and the answer to it
             *     is lost. `Twice`: as `Approve`, with two notices.
             */
            answer: components["schemas"]["TestAnswerWord"];
        };
        /** @enum {string} */
        TestAnswerWord: "Approve" | "Decline" | "Hang" | "Twice";
        /** @description What a test card does with its charges. */
        TestCardAnswerBody: {
            /**
             * @description `Works`: each charge is taken. `Declines`: each is declined. `DeclinesLater`: the first is taken, and later ones are
             *     declined. `Hangs`: each is taken, and the first answer to it is lost.
             */
            answer: components["schemas"]["TestCardAnswerWord"];
        };
        /** @description Where the browser goes after a test card was saved. */
        TestCardAnsweredView: {
            returnUrl: string;
        };
        /** @enum {string} */
        TestCardAnswerWord: "Works" | "Declines" | "DeclinesLater" | "Hangs";
        /** @enum {string} */
        TestCardStateWord: "Created" | "Saved";
        /** @description A card at the test provider. */
        TestCardView: {
            /** Format: uuid */
            _id: string;
            /** @description Where the browser goes to cancel. */
            cancelUrl: string;
            state: components["schemas"]["TestCardStateWord"];
        };
        /** @description Where the browser goes after a test payment. */
        TestPaymentAnsweredView: {
            returnUrl: string;
        };
        /** @enum {string} */
        TestPaymentStateWord: "Created" | "Approved" | "Declined" | "Captured" | "Voided";
        /** @description A payment at the test provider. */
        TestPaymentView: {
            /** Format: uuid */
            _id: string;
            /** Format: int64 */
            amount: number;
            /** @description Where the browser goes to cancel. */
            cancelUrl: string;
            currency: components["schemas"]["CurrencyWord"];
            description: string;
            state: components["schemas"]["TestPaymentStateWord"];
        };
        /** @description A text file and its name. */
        TextForm: {
            /** @description `{"name": "…", "kind": "Text"}` */
            json?: string | null;
            /**
             * Format: binary
             * @description The file.
             */
            text: string;
        };
        /** @description Parts of a notification's sentence. */
        TitleView: {
            /** Format: int64 */
            count?: number | null;
            /** @description The workflow's name at that time, or a notice's title. */
            workflow?: string | null;
        };
        /** @description The window of TossPayments. */
        TossWindowView: {
            clientKey: string;
            customerKey: string;
            failUrl: string;
            scriptUrl: string;
            successUrl: string;
        };
        /** @description Unread notifications of a type, and its number of pages. */
        TypeCountView: {
            /**
             * Format: int64
             * @description Unread; 1000 means that many or more.
             */
            count: number;
            pagination?: components["schemas"]["Pagination"] | null;
            type: string;
        };
        /** @description A node's file, text or value that the job could not deliver as it was made. */
        UndeliveredView: {
            /**
             * @description For programs: `FILE_REFUSED`, `FILE_MISSING`, `FILE_EMPTY`, `FILE_CUT_OFF`, `FILE_TOO_LARGE`,
             *     `TOO_MANY_FILES`, `FILE_NOT_STORED`, `WORKER_ERROR`, `NOT_IN_TIME`, `HIDDEN_BY_MODERATOR`; `TEXT_CUT` (the
             *     beginning is delivered), `TOO_MANY_TEXTS`, `VALUE_NOT_SHOWN` (neither a text nor a number nor a file),
             *     `VALUE_TOO_LARGE`.
             */
            code: string;
            /** @description How many outputs it counts. */
            count: number;
            /** @description One sentence; its wording may change. */
            message: string;
            /** @description The file's name, or the key of the node's output; empty if it counts several. */
            name: string;
            nodeId: string;
        };
        /** @description A background task and its last run. */
        UpkeepTaskView: {
            /**
             * Format: int64
             * @description Most items per run, if limited; the next run follows at once if there are more.
             */
            batch?: number | null;
            /**
             * Format: int64
             * @description A run that takes longer is aborted.
             */
            deadlineSeconds: number;
            /**
             * Format: int64
             * @description Items processed by the last run.
             */
            done: number;
            /** Format: date-time */
            dueAt?: string | null;
            /** Format: date-time */
            endedAt?: string | null;
            /** @description Why the last run failed. */
            error?: string | null;
            /**
             * Format: int64
             * @description From the end of a run to the start of the next.
             */
            everySeconds: number;
            /**
             * Format: int32
             * @description Consecutive failed runs.
             */
            failures: number;
            isRunning: boolean;
            /** @example orphaned_files */
            name: string;
            /**
             * Format: uuid
             * @description The node of the last or current run; null before the first one.
             */
            node?: string | null;
            /** Format: date-time */
            startedAt?: string | null;
        };
        /** @description A picture and its name. */
        UploadForm: {
            /**
             * Format: binary
             * @description The file.
             */
            image: string;
            /** @description `{"name": "…", "kind": "Image"}`; the parts `name` and `kind` alone are accepted too. */
            json?: string | null;
        };
        /** @description A user's public card. */
        UserCard: {
            /** Format: uuid */
            _id: string;
            /** @description Whether the account was deleted; `name` is a placeholder then, which pages show in their language. */
            isDeleted?: boolean;
            name: string;
            profile?: components["schemas"]["AssetView"] | null;
            socialProfile?: string | null;
        };
        /** @description Changes to the caller's account; missing fields stay unchanged. */
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
        /** @description The signed-in user. */
        UserView: {
            /** Format: uuid */
            _id: string;
            ban?: components["schemas"]["BanView"] | null;
            /** Format: date-time */
            createdAt: string;
            credits: components["schemas"]["BalanceView"];
            email: string;
            /** @description Whether the user has confirmed the address. */
            emailVerified: boolean;
            /** @description Whether they can sign in with a password. */
            hasPassword: boolean;
            /** @description `en` or `ko`. */
            language: string;
            name: string;
            /** @description Distinguishes users of the same name: `#1234`. */
            nameTag: string;
            profile?: components["schemas"]["AssetView"] | null;
            /** @description `Customer`, and `Admin` for admins. */
            roles: string[];
            /** @description Sign-in providers: `Google`, `Discord`. */
            signInWith: string[];
            /** @description Always `null`: sign-in providers' pictures are copied to `profile`, because pages load no foreign pictures. */
            socialProfile?: string | null;
            /** @description The first one's name is the plan. */
            subscriptions: components["schemas"]["SubscriptionView"][];
        };
        /** @description A saved version with its graph. */
        VersionGraphView: {
            /** Format: date-time */
            createdAt: string;
            /** @description A JSON text: `{"workflow": UI format or null, "output": API format or null}`. */
            prompt: string;
            /** Format: int32 */
            version: number;
        };
        /** @description A saved version in a list. */
        VersionView: {
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: int64
             * @description Bytes of the graph.
             */
            sizeBytes: number;
            /**
             * Format: int32
             * @description From 1; the highest is the latest.
             */
            version: number;
        };
        /** @description Changes to a video. */
        VideoChangesBody: {
            /** @description 1 to 200 characters; kept until the next refresh from YouTube. */
            name?: string | null;
            /** Format: date-time */
            youtubeCreatedAt?: string | null;
        };
        /** @description A video and its name. */
        VideoForm: {
            /** @description `{"name": "…", "kind": "Video"}` */
            json?: string | null;
            /**
             * Format: binary
             * @description The file.
             */
            video: string;
        };
        /** @description A YouTube video that admins selected. */
        VideoView: {
            /** Format: uuid */
            _id: string;
            /** @description The channel. */
            author_name: string;
            /** @description The channel's address on YouTube. */
            authorUrl?: string | null;
            /**
             * Format: date-time
             * @description When YouTube was last asked.
             */
            checkedAt: string;
            /** Format: date-time */
            createdAt: string;
            /** @description What the frame of `html` shows. */
            frameUrl: string;
            /** @description An iframe on the host without cookies, made by this server from the checked id. */
            html: string;
            /** @description Whether the video is available on YouTube. Unavailable ones are shown only to admins. */
            isAvailable: boolean;
            name: string;
            poster?: components["schemas"]["AssetView"] | null;
            /** @description The page on YouTube. */
            url: string;
            /** Format: date-time */
            youtubeCreatedAt: string;
            /** @description YouTube's id: eleven letters, digits, `-` and `_`. */
            youtubeId: string;
        };
        /** @description A warning. */
        WarningBody: {
            /** @description 1 to 1000 characters. */
            text: string;
        };
        /** @description Where to send the browser. */
        WayInView: {
            /** @description The provider's page, which sends the browser back to `/login/google` or `/login/discord`. */
            url: string;
        };
        /** @description A new webhook. Both names of the events field are accepted. Missing fields are refused as empty ones, all at once. */
        WebhookBody: {
            /** @default  */
            name: string;
            /**
             * @description Event ids, such as `job.done`.
             * @default []
             */
            webhookEventIds: components["schemas"]["WebhookEventWord"][];
            /**
             * @description https (recommended), http or ftp. By ftp each event becomes a file `{messageId}.json` in the folder.
             * @default
             */
            webhookUrl: string;
        };
        /** @description Changes to a webhook; missing fields stay unchanged. Both names of the events field are accepted. */
        WebhookChangeBody: {
            /** @default null */
            name: string | null;
            /**
             * @description Event ids, such as `job.done`.
             * @default null
             */
            webhookEvents: components["schemas"]["WebhookEventWord"][] | null;
            /** @default null */
            webhookUrl: string | null;
        };
        /** @description A webhook. */
        WebhookConfigView: {
            /** Format: uuid */
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            disabledAt?: string | null;
            /** @description `gone` if the receiver answered 410, or `failing` after three days without success. */
            disabledReason?: string | null;
            /** Format: date-time */
            failingSince?: string | null;
            isActive: boolean;
            lastAttempt?: components["schemas"]["LastAttemptView"] | null;
            name: string;
            /** @description The signing secret, returned only when the webhook is created. */
            secret?: string | null;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: int64
             * @description Undelivered events; 1000 means 1000 or more.
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
        /** @description An event type. */
        WebhookEventView: {
            /** @description The id that selects it. */
            _id: string;
            /** @description One sentence. */
            description: string;
            name: string;
        };
        /** @enum {string} */
        WebhookEventWord: "job.created" | "job.started" | "job.progress" | "job.done" | "job.failed" | "job.canceled" | "batch.finished" | "workflow_api.saved" | "workflow_api.deleted";
        /** @description The delivery that is retried. */
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
        /** @description One attempt to deliver an event. */
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
             * @description Number of attempts so far, at most ten.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When the event was first sent.
             */
            createdAt: string;
            /** @description Why there was no response. */
            error?: string | null;
            /**
             * Format: uuid
             * @description Shared by all attempts of an event.
             */
            groupId: string;
            /** Format: uuid */
            job?: string | null;
            /**
             * Format: date-time
             * @description When the next automatic attempt is due.
             */
            nextAttemptAt?: string | null;
            /** @description The request's body: JSON as text. */
            payload: string;
            /** Format: date-time */
            respondedAt?: string | null;
            /** @description The first 4 KiB of the response, as text. */
            response: string;
            /**
             * Format: int32
             * @description The receiver's status, by HTTP or by ftp.
             */
            responseStatus?: number | null;
            /** @description `Success` or `Failed`. */
            status: string;
            webhookEventEmbed: components["schemas"]["WebhookEventEmbedView"];
        };
        /** @description How many are retried. */
        WebhookResentView: {
            /** Format: int64 */
            count: number;
        };
        /** @description A new signing secret. */
        WebhookSecretView: {
            /**
             * Format: date-time
             * @description Until when the previous one signs too.
             */
            oldUntil: string;
            secret: string;
        };
        /** @description What a job waits for. */
        WhyView: {
            /**
             * @description For programs: `NEXT`, `WORKERS_BUSY`, `OWN_JOBS_AHEAD`, `OTHER_JOBS_AHEAD`, `NO_WORKER`, `WORKERS_AWAY`,
             *     `WORKERS_KEPT_OUT`, `MISSING_CAPABILITY`, `RETRY_PAUSE`, `STOPPING`, `STARTING`, `STORAGE_AWAY`,
             *     `QUEUED_AT_WORKER`, `RUNNING`, `RUNNING_ON_LAST_CREDITS`, `ENDED`.
             */
            code: string;
            /** @description The numbers and names in the sentence. */
            details: Record<string, never>;
            /** @description One sentence; its wording may change. */
            message: string;
            /** @description What would let it start. */
            releasedBy: string;
        };
        /** @description The connection of a worker's agent. */
        WorkerAgentView: {
            connected: boolean;
            /** @description The agent's note on its server. */
            note?: string | null;
        };
        /** @description A worker to connect to. */
        WorkerBody: {
            /** @description A unique name; adding it again changes the worker's address and pool. */
            name: string;
            /** @description A configured pool. */
            pool: string;
            /**
             * @description The ComfyUI server's base address.
             * @example http://10.0.0.5:8188
             */
            url: string;
        };
        /** @description A model file of the connected workers. */
        WorkerModelView: {
            /** @description The family that it is taken for; `null` where no generator uses it. */
            family?: string | null;
            file: string;
            folder: string;
            /** @description Whether an admin said what it is. */
            isSet: boolean;
            /** @description What the admin said: the name of a model that it is like, or `null` for none. */
            like?: string | null;
        };
        /** @description A worker, which is a ComfyUI server. */
        WorkerView: {
            /** Format: uuid */
            _id: string;
            agent?: components["schemas"]["WorkerAgentView"] | null;
            /**
             * @description Node classes whose inputs or outputs differ from most workers': it may have another version, or be tampered
             *     with. Such a worker validates prompts with these classes itself.
             */
            differentClasses: string[];
            draining: boolean;
            /**
             * Format: uuid
             * @description Its running job.
             */
            job?: string | null;
            name: string;
            /**
             * Format: uuid
             * @description The node that is connected to it; none while no living node owns it.
             */
            node?: string | null;
            /** @description Number of its node classes. */
            nodeClasses: number;
            /** @description That node's name. */
            nodeName?: string | null;
            paused: boolean;
            pool: string;
            /** @description Why it is not idle. */
            reason?: string | null;
            /** @description `Connecting`, `Idle`, `Busy`, `Draining`, `Paused` or `Gone`. */
            state: string;
            /**
             * Format: date-time
             * @description Since when it has not answered about its running job. After `jobs.silent_seconds` the job is retried
             *     elsewhere.
             */
            unansweredSince?: string | null;
            url: string;
            version?: string | null;
        };
        /** @description Workflows that do not work at the moment, with a text about them. */
        WorkflowAlertView: {
            text: components["schemas"]["BilingualView"];
            title: components["schemas"]["BilingualView"];
            /** @description Ids of workflows or of the mini apps on them. */
            workflows: string[];
        };
        /** @description A mini app with its form. */
        WorkflowApiView: {
            /** Format: uuid */
            _id: string;
            /** @description Without `problems` for users with whom the app is shared. */
            health: components["schemas"]["AppHealthView"];
            /**
             * Format: uuid
             * @description The same id, as the specification names it.
             */
            id: string;
            /**
             * @description Keyed `id.name`; each input with its adapter. Left out for users with whom the app is shared: they may not see
             *     its graph.
             */
            inputs?: unknown;
            /** @description Keyed by node id. */
            outputs: unknown;
            /**
             * @description The form, generated by the server. Texts in other languages are in a field's `ui:options.translations` by
             *     language: `title`, `description` and `enumNames`.
             */
            rjsf: components["schemas"]["FormView"];
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: uuid
             * @description The current version. `POST /api/general/job/workflow-api/{id}/version/{version}` runs it also after later saves.
             */
            version: string;
            workflow: components["schemas"]["WorkflowCard"];
            works: components["schemas"]["WorksView"];
        };
        /** @description A workflow, as a mini app or a job shows it. */
        WorkflowCard: {
            /** Format: uuid */
            _id: string;
            cover?: components["schemas"]["AssetView"] | null;
            description?: string | null;
            name: string;
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            user?: components["schemas"]["UserCard"] | null;
        };
        /** @description A workflow's graph, for `select=prompt name`. */
        WorkflowGraphView: {
            /** Format: uuid */
            _id: string;
            name: string;
            /** @description A JSON text: `{"workflow": UI format or null, "output": API format or null}`. */
            prompt: string;
            /**
             * Format: int32
             * @description Number of the graph's version.
             */
            version: number;
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
        /** @description A tag with its number of workflows, for admins. */
        WorkflowTagUseView: components["schemas"]["WorkflowTagCard"] & {
            /**
             * Format: int64
             * @description The published ones among them.
             */
            published: number;
            /**
             * Format: int64
             * @description Workflows with it or a tag below it, including drafts.
             */
            workflows: number;
        };
        /** @description A tag with its parent and children. */
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
            /** @description Sanitized HTML. Lists have only its beginning. */
            description: string;
            /** Format: date-time */
            editedAt: string;
            /** @description Whether it is a basic workflow. */
            isBasic: boolean;
            isLiked: boolean;
            isNsfw: boolean;
            isPrivate: boolean;
            /**
             * @description `comfy`; `workflow-api` with a mini app; `easyapp` where that is published; `figma` and `generator` as admins
             *     marked it.
             */
            kind: string;
            /** Format: int64 */
            launchCount: number;
            /** Format: int64 */
            likeCount: number;
            /** @description The caller's own id if they like it. Other users' likes are only counted. */
            likes: string[];
            /** @description Outputs of the mini app: `image`, `video`, `audio`, `text` or `file`. */
            makes: string[];
            name: string;
            /** Format: date-time */
            publishedAt?: string | null;
            /** @description Inputs of the mini app beside its settings: `image`, `video`, `audio`, `textfile`, and `text` for a prompt. */
            takes: string[];
            /** @description The gallery. Lists have only the cover. */
            thumbnails: components["schemas"]["AssetView"][];
            translations?: components["schemas"]["ByLanguageView_TranslationView"] | null;
            user?: components["schemas"]["UserCard"] | null;
            /**
             * Format: int32
             * @description Number of the graph's version.
             */
            version: number;
            /** Format: int64 */
            viewCount: number;
            /**
             * Format: uuid
             * @description The mini app on it; its presence makes the workflow an "easy app".
             */
            workflowApi?: string | null;
            /** @description Whether some worker can run the mini app now; `null` while unknown. */
            workflowApiWorks?: boolean | null;
            workflowTags: components["schemas"]["WorkflowTagCard"][];
        };
        /** @description Whether some worker can run the app now. */
        WorksView: {
            /**
             * Format: date-time
             * @description When it was determined; `null` before the first time.
             */
            checkedAt?: string | null;
            /** @description What no worker has, up to twenty of each kind. Empty for users with whom the app is shared. */
            missing: components["schemas"]["MissingView"];
            /** @description `null` while unknown: no worker is connected, or those with what it needs are disconnected. */
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

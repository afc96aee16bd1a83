// Cells of an ECP5 for the simulation of a synthesised netlist: those that Yosys only declares, in the modes that Yosys' own
// mapping gives them. What is used in any other way stops the simulation.

// A block RAM of 1024 words of 18 bits, in halves of 9. With 36 bits, port A writes and port B reads two words at once, the lower
// through DIA and DOA, as Yosys connects them.
module DP16KD(
    input
        DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
    input
        ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
    output
        DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
    input
        DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
    input
        ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
    output
        DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);
    parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18;
    parameter REGMODE_A = "NOREG", REGMODE_B = "NOREG", RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC", GSR = "DISABLED";
    parameter CSDECODE_A = "0b000", CSDECODE_B = "0b000", WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL";
    parameter CLKAMUX = "CLKA", CLKBMUX = "CLKB";
    parameter [319:0]
        INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0,
        INITVAL_07 = 0, INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0, INITVAL_0C = 0, INITVAL_0D = 0,
        INITVAL_0E = 0, INITVAL_0F = 0, INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0, INITVAL_14 = 0,
        INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0, INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0,
        INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0, INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0,
        INITVAL_23 = 0, INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0, INITVAL_28 = 0, INITVAL_29 = 0,
        INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0, INITVAL_30 = 0,
        INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0,
        INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0, INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0,
        INITVAL_3F = 0;

    // 20 bits of an initial value hold a word.
    localparam [64 * 320 - 1:0] INITIAL = {
        INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38, INITVAL_37, INITVAL_36,
        INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C,
        INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22,
        INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
        INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F, INITVAL_0E,
        INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04,
        INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
    };
    reg [17:0] words[0:1023];
    integer i;
    initial begin
        for (i = 0; i < 1024; i = i + 1) words[i] = INITIAL[20 * i +: 18];
        if (CLKAMUX != "CLKA" || CLKBMUX != "CLKB" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000"
            || (DATA_WIDTH_A == 36) != (DATA_WIDTH_B == 36)
            || (DATA_WIDTH_A != 9 && DATA_WIDTH_A != 18 && DATA_WIDTH_A != 36)
            || (DATA_WIDTH_B != 9 && DATA_WIDTH_B != 18 && DATA_WIDTH_B != 36)) begin
            $display("DP16KD: a mode without a model, %0d and %0d bits", DATA_WIDTH_A, DATA_WIDTH_B);
            $finish;
        end
    end

    wire [17:0] dia = {
        DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0
    };
    wire [13:0] ada = {
        ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
    };
    wire [17:0] dib = {
        DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0
    };
    wire [13:0] adb = {
        ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
    };

    // Halves of a word to write, and what is read: half a word is at the bottom.
    wire [1:0] ena = DATA_WIDTH_A == 9 ? {ada[3], ~ada[3]} : ada[1:0];
    wire [1:0] enb = DATA_WIDTH_B == 9 ? {adb[3], ~adb[3]} : adb[1:0];
    wire [17:0] to_a = DATA_WIDTH_A == 9 ? {dia[8:0], dia[8:0]} : dia;
    wire [17:0] to_b = DATA_WIDTH_B == 9 ? {dib[8:0], dib[8:0]} : dib;
    wire [17:0] at_a = words[ada[13:4]], at_b = words[adb[13:4]];
    wire [17:0] from_a = DATA_WIDTH_A == 9 && ada[3] ? at_a[17:9] : at_a;
    wire [17:0] from_b = DATA_WIDTH_B == 9 && adb[3] ? at_b[17:9] : at_b;
    reg [17:0] qa = 0, qb = 0, latera = 0, laterb = 0;

    generate
        if (DATA_WIDTH_A == 36) begin
            always @(posedge CLKA)
                if (CEA && WEA) begin
                    if (ada[0]) words[{ada[13:5], 1'b0}][8:0] <= dia[8:0];
                    if (ada[1]) words[{ada[13:5], 1'b0}][17:9] <= dia[17:9];
                    if (ada[2]) words[{ada[13:5], 1'b1}][8:0] <= dib[8:0];
                    if (ada[3]) words[{ada[13:5], 1'b1}][17:9] <= dib[17:9];
                end
            always @(posedge CLKB)
                if (CEB) begin
                    qa <= words[{adb[13:5], 1'b0}];
                    qb <= words[{adb[13:5], 1'b1}];
                end
        end else begin
            always @(posedge CLKA)
                if (CEA) begin
                    if (WEA && ena[0]) words[ada[13:4]][8:0] <= to_a[8:0];
                    if (WEA && ena[1]) words[ada[13:4]][17:9] <= to_a[17:9];
                    if (!WEA || WRITEMODE_A == "READBEFOREWRITE") qa <= from_a;
                end
            always @(posedge CLKB)
                if (CEB) begin
                    if (WEB && enb[0]) words[adb[13:4]][8:0] <= to_b[8:0];
                    if (WEB && enb[1]) words[adb[13:4]][17:9] <= to_b[17:9];
                    if (!WEB || WRITEMODE_B == "READBEFOREWRITE") qb <= from_b;
                end
        end
    endgenerate

    always @(posedge CLKA) begin
        if (OCEA) latera <= qa;
        if (RSTA || (WEA && WRITEMODE_A == "WRITETHROUGH")) begin
            $display("DP16KD: port A without a model");
            $finish;
        end
    end
    always @(posedge CLKB) begin
        if (OCEB) laterb <= qb;
        if (RSTB || (WEB && WRITEMODE_B == "WRITETHROUGH")) begin
            $display("DP16KD: port B without a model");
            $finish;
        end
    end
    assign {
        DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0
    } = REGMODE_A == "OUTREG" ? latera : qa;
    assign {
        DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
    } = REGMODE_B == "OUTREG" ? laterb : qb;
endmodule

// A multiplier, without its registers.
module MULT18X18D(
    input
        A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
    input
        B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
    input
        C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
    input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
    input CLK0, CLK1, CLK2, CLK3, CE0, CE1, CE2, CE3, RST0, RST1, RST2, RST3,
    input
        SRIA17, SRIA16, SRIA15, SRIA14, SRIA13, SRIA12, SRIA11, SRIA10, SRIA9, SRIA8, SRIA7, SRIA6, SRIA5, SRIA4, SRIA3, SRIA2,
        SRIA1, SRIA0,
    input
        SRIB17, SRIB16, SRIB15, SRIB14, SRIB13, SRIB12, SRIB11, SRIB10, SRIB9, SRIB8, SRIB7, SRIB6, SRIB5, SRIB4, SRIB3, SRIB2,
        SRIB1, SRIB0,
    output
        P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14, P13, P12,
        P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);
    wire signed [18:0] a = {SIGNEDA & A17, A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
    wire signed [18:0] b = {SIGNEDB & B17, B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
    wire signed [37:0] product = a * b;
    assign {
        P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14, P13, P12,
        P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
    } = product[35:0];
endmodule

// The PLL has locked, at the frequency that the simulation's clock stands for.
module EHXPLLL(
    input CLKI, CLKFB, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, STDBY, PLLWAKESYNC, RST, ENCLKOP,
    output CLKOP, LOCK
);
    parameter CLKI_DIV = 1, CLKFB_DIV = 1, CLKOP_DIV = 8, CLKOP_CPHASE = 0, CLKOP_FPHASE = 0;
    parameter CLKOP_ENABLE = "ENABLED", FEEDBK_PATH = "CLKOP", OUTDIVIDER_MUXA = "DIVA";
    parameter PLLRST_ENA = "DISABLED", INTFB_WAKE = "DISABLED", STDBY_ENABLE = "DISABLED", DPHASE_SOURCE = "DISABLED";
    assign CLKOP = CLKI;
    assign LOCK = 1;
endmodule

// A clock buffer that lets whole pulses through.
module DCCA(input CLKI, CE, output CLKO);
    reg open = 0;
    always @(negedge CLKI) open <= CE;
    assign CLKO = CLKI & open;
endmodule
